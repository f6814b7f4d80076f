"""Known providers as data: where they are, how they are authenticated, how their use of the protocol differs.

Addresses and variable names are those of the providers' own documentation (November 2026).
"""

from turnout.model import ProtocolName, V

from .auth import Scheme


class Preset(V, frozen=True, kw_only=True):
    """One provider. `root` is put between a base URL and the path, unless the base URL ends with it.

    `path` overrides the protocol's own path; `{model}` in it stands for the model's name. `key_env` names the
    environment variable that holds the key; `""` means that none is needed. `also` are further protocols that the
    provider speaks at the same address.
    """

    title: str
    protocol: ProtocolName = "openai-chat"
    also: tuple[ProtocolName, ...] = ()
    base_url: str = ""
    auth: Scheme = "bearer"
    key_env: str = ""
    dialect: str = ""
    root: str = ""
    path: str = ""
    query: str = ""
    tool_id_pattern: str = ""
    tool_name_pattern: str = ""


_RESPONSES: tuple[ProtocolName, ...] = ("openai-responses",)

PRESETS: dict[str, Preset] = {
    "gemini": Preset(
        title="Google Gemini",
        protocol="gemini",
        base_url="https://generativelanguage.googleapis.com/v1beta",
        auth="x-goog-api-key",
        key_env="GEMINI_API_KEY",
    ),
    "vertex": Preset(
        title="Google Vertex AI (a base URL up to the location; a hook gives the access token)",
        protocol="gemini",
        dialect="vertex",
        root="/publishers/google/models",
        path="/{model}:{method}",
    ),
    "openai": Preset(
        title="OpenAI",
        also=_RESPONSES,
        base_url="https://api.openai.com/v1",
        key_env="OPENAI_API_KEY",
        dialect="openai",
    ),
    "anthropic": Preset(
        title="Anthropic",
        protocol="anthropic-messages",
        base_url="https://api.anthropic.com/v1",
        auth="x-api-key",
        key_env="ANTHROPIC_API_KEY",
        tool_id_pattern="[A-Za-z0-9_-]+",
        tool_name_pattern="[A-Za-z0-9_-]{1,128}",
    ),
    "openrouter": Preset(
        title="OpenRouter",
        also=_RESPONSES,
        base_url="https://openrouter.ai/api/v1",
        key_env="OPENROUTER_API_KEY",
        dialect="openrouter",
    ),
    "groq": Preset(
        title="Groq", base_url="https://api.groq.com/openai/v1", key_env="GROQ_API_KEY", dialect="groq"
    ),
    "mistral": Preset(
        title="Mistral",
        base_url="https://api.mistral.ai/v1",
        key_env="MISTRAL_API_KEY",
        dialect="mistral",
        tool_id_pattern="[A-Za-z0-9]{9}",
    ),
    "deepseek": Preset(
        title="DeepSeek",
        base_url="https://api.deepseek.com/v1",
        key_env="DEEPSEEK_API_KEY",
        dialect="deepseek",
    ),
    "xai": Preset(
        title="xAI", also=_RESPONSES, base_url="https://api.x.ai/v1", key_env="XAI_API_KEY", dialect="xai"
    ),
    "together": Preset(
        title="Together",
        base_url="https://api.together.xyz/v1",
        key_env="TOGETHER_API_KEY",
    ),
    "fireworks": Preset(
        title="Fireworks",
        base_url="https://api.fireworks.ai/inference/v1",
        key_env="FIREWORKS_API_KEY",
    ),
    "ollama": Preset(title="Ollama", also=_RESPONSES, base_url="http://127.0.0.1:11434/v1", dialect="ollama"),
    "vllm": Preset(title="vLLM", also=_RESPONSES, base_url="http://127.0.0.1:8000/v1", dialect="vllm"),
    "llama.cpp": Preset(title="llama.cpp", base_url="http://127.0.0.1:8080/v1", dialect="llamacpp"),
    "lmstudio": Preset(
        title="LM Studio", also=_RESPONSES, base_url="http://127.0.0.1:1234/v1", dialect="lmstudio"
    ),
    "azure": Preset(
        title="Azure OpenAI (v1 paths)",
        also=_RESPONSES,
        auth="api-key",
        key_env="AZURE_OPENAI_API_KEY",
        dialect="azure",
        root="/openai/v1",
    ),
    "azure-deployments": Preset(
        title="Azure OpenAI (a path per deployment)",
        auth="api-key",
        key_env="AZURE_OPENAI_API_KEY",
        dialect="azure",
        root="/openai",
        path="/deployments/{model}/chat/completions",
        query="api-version=2024-10-21",
    ),
}
"""By the name that `preset` takes in a configuration."""
