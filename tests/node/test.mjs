// The official OpenAI client for JavaScript against `turnout serve`, in front of the canned model of the end-to-end
// tests. Run by `.ci/node`, which installs what this needs; PYTHON and ROOT say which turnout is meant.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { ended, started } from "./processes.mjs";

const { ROOT } = process.env;

const DESK = `
import turnout

@turnout.action(patterns=[r"which invoices of (?P<customer>\\w+) are open"], template="{customer}: {numbers}")
def open_invoices(customer: str) -> dict[str, str]:
    """List the unpaid invoices of a customer."""
    return {"customer": customer, "numbers": "INV-1001, INV-1002"}
`;
const ACTION = "Which invoices of Acme are open?";
const ANSWER = "Acme: INV-1001, INV-1002";
const TOOLS = [
  {
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

let client, folder, model;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnout-node-"));
  const port = await started([join(ROOT, "tests/e2e/canned_model.py")]);
  model = `http://127.0.0.1:${port}`;
  await writeFile(join(folder, "desk.py"), DESK);
  await writeFile(
    join(folder, "turnout.toml"),
    `[providers.up]\nprotocol = "openai-chat"\nbase_url = "${model}/v1"\napi_key = "env:UP_KEY"\n` +
      `[models."canned"]\nprovider = "up"\n[app]\nload = ["desk"]\n`,
  );
  const gateway = await started(["-m", "turnout", "serve", "turnout.toml", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, UP_KEY: "sk-upstream" },
  });
  client = new OpenAI({ baseURL: `${gateway}/v1`, apiKey: "sk-client", maxRetries: 0 });
});

after(async () => {
  await ended();
  await rm(folder, { recursive: true });
});

const asking = (text, more) => ({ model: "canned", messages: [{ role: "user", content: text }], ...more });
const ask = (text, more, options) => client.chat.completions.create(asking(text, more), options);
const seen = async () => (await fetch(`${model}/seen`)).json();

async function collected(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const text = (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");

/** Wait for something that another process notices in its own time. */
async function until(holds) {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds()) return;
    await sleep(20);
  }
  assert.fail("it did not come to be within a second");
}

test("text comes back whole and streamed", async () => {
  assert.equal((await ask("hello")).choices[0].message.content, "Hello from the model");
  const chunks = await collected(await ask("hello", { stream: true }));
  assert.equal(text(chunks), "Hello from the model");
  assert.equal(chunks.at(-1).choices[0].finish_reason, "stop");
});

test("an action answers without the model, whole and streamed", async () => {
  const before = (await seen()).requests.length;
  assert.equal((await ask(ACTION)).choices[0].message.content, ANSWER);
  const chunks = await collected(await ask(ACTION, { stream: true, stream_options: { include_usage: true } }));
  assert.equal(text(chunks), ANSWER);
  assert.deepEqual(chunks.at(-1).choices, []);
  assert.equal((await seen()).requests.length, before);
});

for (const [scene, cities] of [
  ["tool", ["Rome"]],
  ["parallel", ["Rome", "Oslo"]],
]) {
  test(`the calls of the scene "${scene}" come back whole and streamed`, async () => {
    const whole = (await ask(scene, { tools: TOOLS })).choices[0];
    const streamed = await client.chat.completions.stream(asking(scene, { tools: TOOLS })).finalChatCompletion();
    for (const choice of [whole, streamed.choices[0]]) {
      assert.equal(choice.finish_reason, "tool_calls");
      const calls = choice.message.tool_calls;
      assert.deepEqual(calls.map((call) => JSON.parse(call.function.arguments).city), cities);
      assert.equal(new Set(calls.map((call) => call.id)).size, cities.length);
    }
    assert.deepEqual(JSON.parse((await seen()).requests.at(-1).body).tools, TOOLS);
  });
}

test("the stream helper puts both lanes together", async () => {
  for (const [said, expected] of [["hello", "Hello from the model"], [ACTION, ANSWER]]) {
    assert.equal(await client.chat.completions.stream(asking(said)).finalContent(), expected);
  }
});

test("structured output is parsed", async () => {
  const schema = { type: "object", properties: { city: { type: "string" }, degrees: { type: "integer" } } };
  const format = { type: "json_schema", json_schema: { name: "weather", schema } };
  const parsed = await client.chat.completions.parse(asking("json", { response_format: format }));
  assert.deepEqual(parsed.choices[0].message.parsed, { city: "Rome", degrees: 21 });
});

test("an image reaches the model as it was sent", async () => {
  const content = [
    { type: "text", text: "what is it" },
    { type: "image_url", image_url: { url: PIXEL } },
  ];
  assert.equal((await ask(content)).choices[0].message.content, "a red square");
  assert.deepEqual(JSON.parse((await seen()).requests.at(-1).body).messages[0].content, content);
});

test("usage is shown in a stream only if asked for", async () => {
  const plain = await collected(await ask("hello", { stream: true }));
  assert.ok(plain.every((chunk) => !chunk.usage));
  const counted = await collected(await ask("hello", { stream: true, stream_options: { include_usage: true } }));
  assert.equal(counted.at(-1).usage.total_tokens, 16);
});

test("errors of the model come back as they are", async () => {
  await assert.rejects(ask("limited"), (error) => {
    assert.ok(error instanceof OpenAI.RateLimitError);
    assert.equal(error.code, "rate_limit_exceeded");
    assert.equal(error.headers.get("retry-after"), "7");
    return true;
  });
  await assert.rejects(ask("broken", { stream: true }), OpenAI.InternalServerError);
});

test("a cut stream is an error, not an end", async () => {
  const stream = await ask("cut", { stream: true });
  await assert.rejects(collected(stream), OpenAI.APIError);
});

test("a bad request names the field, an unknown model is not found", async () => {
  const bad = client.chat.completions.create({ model: "canned", messages: "nothing" });
  await assert.rejects(bad, (error) => error instanceof OpenAI.BadRequestError && error.param === "messages");
  const unknown = client.chat.completions.create({ ...asking("hello"), model: "unheard-of" });
  await assert.rejects(unknown, (error) => error instanceof OpenAI.NotFoundError && error.param === "model");
});

test("the models are listed", async () => {
  assert.deepEqual((await client.models.list()).data.map((each) => each.id), ["canned"]);
});

test("a stream that is left closes the connection to the model", async () => {
  const before = (await seen()).left;
  for await (const chunk of await ask("endless", { stream: true })) {
    assert.ok(chunk);
    break;
  }
  await until(async () => (await seen()).left === before + 1);
});

test("a request that is aborted before any answer is cancelled at the model", async () => {
  const controller = new AbortController();
  const before = await seen();
  const asked = ask("never", {}, { signal: controller.signal });
  const aborted = assert.rejects(asked, OpenAI.APIUserAbortError);
  await until(async () => (await seen()).requests.length > before.requests.length);
  controller.abort();
  await aborted;
  await until(async () => (await seen()).left === before.left + 1);
  assert.equal((await ask("hello")).choices[0].message.content, "Hello from the model");
});
