"""Sans-io codecs, one folder per protocol: bytes and values in, bytes and values out."""
