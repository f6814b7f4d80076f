// The official clients for JavaScript against agents of an application, with a store and audio behind them. Run by
// `.ci/node`, which installs what this needs.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI, { toFile } from "openai";
import { ended, started } from "./processes.mjs";

const AGENTS = `
import turnout
from turnout.model import Speech, Transcript, Usage, Outcome
from turnout.store import MemoryStore


def transcriber(request, context):
    return Transcript(text=f"{len(request.audio)} bytes of {request.filename}")


def speaker(request, context):
    return Speech(audio=b"sound of " + request.input.encode())


app = turnout.App(store=MemoryStore(), transcriber=transcriber, speaker=speaker)


@app.agent("desk", tools=True, client_tools=True, continuation=True, output={"text", "audio"})
async def desk(request, emit):
    heard = " | ".join(each.text for each in request.messages if each.role == "user")
    if "audio" in request.body.output:
        await emit.media(b"RIFF0000WAVE", "audio/wav", transcript="hello")
    elif request.tools and request.messages[-1].role == "user":
        await emit.tool("look", {"city": "Rome"})
    else:
        for piece in ("hel", "lo ", f"({heard})"):
            await emit.delta(piece)
    return Outcome(usage=Usage(input=11, output=5))
`;
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const said = [{ role: "user", content: "hi" }];

let folder, openai, anthropic, google;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnout-agents-"));
  await writeFile(join(folder, "desk.py"), AGENTS);
  const url = await started(["-m", "turnout", "serve", "desk:app", "--port", "0"], { cwd: folder });
  openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-client", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: url, apiKey: "sk-client", maxRetries: 0 });
  google = new GoogleGenAI({ apiKey: "sk-client", httpOptions: { baseUrl: url } });
});

after(async () => {
  await ended();
  await rm(folder, { recursive: true });
});

async function collected(stream) {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
}

test("chat completions come whole and streamed, to the same end", async () => {
  const whole = await openai.chat.completions.create({ model: "desk", messages: said });
  assert.equal(whole.choices[0].message.content, "hello (hi)");
  const stream = openai.chat.completions.stream({
    model: "desk",
    messages: said,
    stream_options: { include_usage: true },
  });
  const streamed = await stream.finalChatCompletion();
  assert.deepEqual(streamed.choices[0].message.content, whole.choices[0].message.content);
  assert.equal(streamed.choices[0].finish_reason, "stop");
  assert.deepEqual([whole.usage.completion_tokens, streamed.usage.completion_tokens], [5, 5]);
});

test("a call of a chat completion comes whole and streamed", async () => {
  const asking = {
    model: "desk",
    messages: said,
    tools: [{ type: "function", function: { name: "look", parameters: SCHEMA } }],
  };
  const whole = await openai.chat.completions.create(asking);
  const streamed = await openai.chat.completions.stream(asking).finalChatCompletion();
  for (const { message, finish_reason } of [whole.choices[0], streamed.choices[0]]) {
    assert.equal(finish_reason, "tool_calls");
    assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), { city: "Rome" });
  }
});

test("sound of a chat completion comes whole and streamed", async () => {
  const asking = {
    model: "desk",
    messages: said,
    modalities: ["text", "audio"],
    audio: { voice: "alloy", format: "wav" },
  };
  const { audio } = (await openai.chat.completions.create(asking)).choices[0].message;
  assert.deepEqual([Buffer.from(audio.data, "base64").toString(), audio.transcript], ["RIFF0000WAVE", "hello"]);
  const chunks = await collected(await openai.chat.completions.create({ ...asking, stream: true }));
  const data = chunks.map((chunk) => chunk.choices[0]?.delta.audio?.data ?? "").join("");
  assert.equal(Buffer.from(data, "base64").toString(), "RIFF0000WAVE");
});

test("responses are kept, continued, looked up, listed and deleted", async () => {
  const first = await openai.responses.create({ model: "desk", input: "one", store: true });
  assert.equal(first.output_text, "hello (one)");
  const stream = openai.responses.stream({ model: "desk", input: "two", store: true, previous_response_id: first.id });
  const second = await stream.finalResponse();
  assert.equal(second.output_text, "hello (one | two)");
  const found = await openai.responses.retrieve(second.id);
  assert.equal(found.output_text, second.output_text);
  assert.deepEqual([found.id, found.created_at, found.usage], [second.id, second.created_at, second.usage]);
  assert.equal(found.output[0].id, second.output[0].id);
  const events = await collected(await openai.responses.retrieve(second.id, { stream: true }));
  assert.equal(events.at(-1).type, "response.completed");
  assert.deepEqual(events.at(-1).response.output, found.output);
  const items = await collected(openai.responses.inputItems.list(second.id, { order: "asc", limit: 2 }));
  assert.deepEqual(items.map((item) => item.role), ["user", "assistant", "user"]);
  await openai.responses.delete(second.id);
  await assert.rejects(openai.responses.retrieve(second.id), { status: 404 });
});

test("a request under a key is answered once", async () => {
  const asking = () =>
    openai.responses.create(
      { model: "desk", input: "keyed", store: true },
      { headers: { "Idempotency-Key": "k1" } },
    );
  assert.equal((await asking()).id, (await asking()).id);
});

test("messages come whole and streamed, to the same end", async () => {
  const asking = { model: "desk", max_tokens: 100, messages: said };
  const whole = await anthropic.messages.create(asking);
  const streamed = await anthropic.messages.stream(asking).finalMessage();
  for (const made of [whole, streamed]) {
    assert.deepEqual([made.content[0].text, made.stop_reason], ["hello (hi)", "end_turn"]);
    assert.equal(made.usage.output_tokens, 5);
  }
  const tools = [{ name: "look", input_schema: SCHEMA }];
  const calls = await anthropic.messages.stream({ ...asking, tools }).finalMessage();
  assert.deepEqual([calls.content[0].input, calls.stop_reason], [{ city: "Rome" }, "tool_use"]);
});

test("contents come whole and streamed", async () => {
  const asking = { model: "desk", contents: "hi" };
  assert.equal((await google.models.generateContent(asking)).text, "hello (hi)");
  const pieces = await collected(await google.models.generateContentStream(asking));
  assert.equal(pieces.map((piece) => piece.text ?? "").join(""), "hello (hi)");
});

test("sound is written down and spoken", async () => {
  const file = await toFile(Buffer.from("RIFF"), "a.wav");
  const heard = await openai.audio.transcriptions.create({ model: "ear", file });
  assert.equal(heard.text, "4 bytes of a.wav");
  const spoken = await openai.audio.speech.create({ model: "mouth", voice: "alloy", input: "hi" });
  assert.equal(await spoken.text(), "sound of hi");
});

test("the agents are listed", async () => {
  const models = await collected(openai.models.list());
  assert.deepEqual(models.map((model) => model.id), ["desk"]);
});
