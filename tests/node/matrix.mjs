// The official clients for JavaScript, and the AI SDK with its providers, against `turnout serve` over a scripted model
// of each of four protocols: one table. Run by `.ci/node`; PYTHON and ROOT say which turnout is meant.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { GoogleGenAI } from "@google/genai";
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { ended, started } from "./processes.mjs";

const { ROOT } = process.env;
const UPSTREAMS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
const CITIES = ["Rome", "Oslo"];
const USED = [11, 7];
const PICTURE = "QUJD";
const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const FORM = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const LOOK = { name: "look", description: "Look at the weather." };

let folder, gateway, model, speakers;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnout-matrix-"));
  const port = await started([join(ROOT, "tests/e2e/scripted_model.py")]);
  model = `http://127.0.0.1:${port}`;
  const rows = UPSTREAMS.map(
    (name) =>
      `[providers.${name}]\nprotocol = "${name}"\nbase_url = "${model}/v1"\napi_key = "env:UP_KEY"\n` +
      `[models."${name}"]\nprovider = "${name}"\nreasoning = "reasoning_content"\n`,
  );
  await writeFile(join(folder, "turnout.toml"), rows.join(""));
  gateway = await started(["-m", "turnout", "serve", "turnout.toml", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, UP_KEY: "sk-upstream" },
  });
  speakers = clients(gateway);
});

after(async () => {
  await ended();
  await rm(folder, { recursive: true });
});

const last = async () => JSON.stringify((await (await fetch(`${model}/seen`)).json()).at(-1));

async function collected(stream) {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
}

// ---- the clients: each `say(ask)` gives {text, thoughts, calls, used, turn}; `results` answers its calls -------------

/** The clients by name; an ask is {upstream, words, stream, tools, think, picture, form, history}. */
function clients(url) {
  const key = { apiKey: "sk-client", maxRetries: 0 };
  const openai = new OpenAI({ baseURL: `${url}/v1`, ...key });
  const anthropic = new Anthropic({ baseURL: url, ...key });
  const google = new GoogleGenAI({ apiKey: "client-key", httpOptions: { baseUrl: url } });
  const provider = { baseURL: `${url}/v1`, apiKey: "sk-client" };
  const named = { ...provider, name: "turnout" };
  return {
    openai: chat(openai),
    "openai responses": responses(openai),
    "@anthropic-ai/sdk": claude(anthropic),
    "@google/genai": gemini(google),
    "ai, @ai-sdk/openai": ai(createOpenAI(provider)),
    "ai, @ai-sdk/openai chat": ai(createOpenAI(provider).chat, { thoughts: false }),
    "ai, @ai-sdk/openai-compatible": ai(
      createOpenAICompatible({ ...named, supportsStructuredOutputs: true, includeUsage: true }),
    ),
    "ai, @ai-sdk/open-responses": ai(createOpenResponses({ ...named, url: `${url}/v1/responses` })),
    "ai, @ai-sdk/anthropic": ai(createAnthropic(provider), { unproven: false }),
    "ai, @ai-sdk/google": ai(createGoogleGenerativeAI({ ...provider, baseURL: `${url}/v1beta` })),
  };
}

function chat(client) {
  const user = ({ words, picture }) => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } };
    return { role: "user", content: picture ? [{ type: "text", text: words }, image] : words };
  };
  return {
    async say({ upstream, stream, tools, think, form, history, ...rest }) {
      const body = { model: upstream, messages: history ?? [user(rest)] };
      if (tools) body.tools = [{ type: "function", function: { ...LOOK, parameters: SCHEMA } }];
      if (think) body.reasoning_effort = "high";
      if (form) {
        const shape = { name: "weather", schema: FORM, strict: true };
        body.response_format = { type: "json_schema", json_schema: shape };
      }
      let answer;
      let thoughts = "";
      if (stream) {
        const told = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
        told.on("chunk", (chunk) => (thoughts += chunk.choices[0]?.delta.reasoning_content ?? ""));
        answer = await told.finalChatCompletion();
      } else {
        answer = await client.chat.completions.create(body);
      }
      const { message } = answer.choices[0];
      const calls = (message.tool_calls ?? []).map((call) => [call.id, JSON.parse(call.function.arguments)]);
      thoughts ||= message.reasoning_content ?? "";
      const used = [answer.usage.prompt_tokens, answer.usage.completion_tokens];
      return { text: message.content ?? "", thoughts, calls, used, turn: [message] };
    },
    history: (ask, said, result) => [
      user(ask),
      ...said.turn,
      ...said.calls.map(([id]) => ({ role: "tool", tool_call_id: id, content: result })),
    ],
    refused: (error) => [error.status, error.headers.get("retry-after")],
  };
}

function responses(client) {
  const user = ({ words, picture }) => {
    const image = { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${PICTURE}` };
    return { role: "user", content: picture ? [{ type: "input_text", text: words }, image] : words };
  };
  return {
    async say({ upstream, stream, tools, think, form, history, ...rest }) {
      const body = { model: upstream, input: history ?? [user(rest)], store: false };
      if (tools) body.tools = [{ type: "function", ...LOOK, parameters: SCHEMA, strict: true }];
      if (think) body.reasoning = { effort: "high", summary: "auto" };
      if (form) body.text = { format: { type: "json_schema", name: "weather", schema: FORM, strict: true } };
      const answer = await (stream
        ? client.responses.stream(body).finalResponse()
        : client.responses.create(body));
      const reasoning = answer.output.filter((item) => item.type === "reasoning");
      const called = answer.output.filter((item) => item.type === "function_call");
      return {
        text: answer.output_text,
        thoughts: reasoning.flatMap((item) => item.summary.map((part) => part.text)).join(""),
        calls: called.map((item) => [item.call_id, JSON.parse(item.arguments)]),
        used: [answer.usage.input_tokens, answer.usage.output_tokens],
        turn: answer.output,
      };
    },
    history: (ask, said, result) => [
      user(ask),
      ...said.turn,
      ...said.calls.map(([id]) => ({ type: "function_call_output", call_id: id, output: result })),
    ],
    refused: (error) => [error.status, error.headers.get("retry-after")],
  };
}

function claude(client) {
  const user = ({ words, picture }) => {
    const source = { type: "base64", media_type: "image/png", data: PICTURE };
    return { role: "user", content: picture ? [{ type: "text", text: words }, { type: "image", source }] : words };
  };
  return {
    unproven: false,
    async say({ upstream, stream, tools, think, form, history, ...rest }) {
      const body = { model: upstream, max_tokens: 4000, messages: history ?? [user(rest)] };
      if (tools) body.tools = [{ ...LOOK, input_schema: SCHEMA }];
      if (think) body.thinking = { type: "enabled", budget_tokens: 2000 };
      if (form) body.output_config = { format: { type: "json_schema", schema: FORM } };
      const { content, usage } = await (stream
        ? client.messages.stream(body).finalMessage()
        : client.messages.create(body));
      const of = (kind) => content.filter((block) => block.type === kind);
      return {
        text: of("text").map((block) => block.text).join(""),
        thoughts: of("thinking").map((block) => block.thinking).join(""),
        calls: of("tool_use").map((block) => [block.id, block.input]),
        used: [usage.input_tokens, usage.output_tokens],
        turn: [{ role: "assistant", content }],
      };
    },
    history: (ask, said, result) => [
      user(ask),
      ...said.turn,
      {
        role: "user",
        content: said.calls.map(([id]) => ({ type: "tool_result", tool_use_id: id, content: result })),
      },
    ],
    refused: (error) => [error.status, error.headers.get("retry-after")],
  };
}

function gemini(client) {
  const user = ({ words, picture }) => {
    const image = { inlineData: { mimeType: "image/png", data: PICTURE } };
    return { role: "user", parts: picture ? [{ text: words }, image] : [{ text: words }] };
  };
  return {
    async say({ upstream, stream, tools, think, form, history, ...rest }) {
      const config = {};
      if (tools) config.tools = [{ functionDeclarations: [{ ...LOOK, parametersJsonSchema: SCHEMA }] }];
      if (think) config.thinkingConfig = { includeThoughts: true, thinkingLevel: "HIGH" };
      if (form) Object.assign(config, { responseMimeType: "application/json", responseJsonSchema: FORM });
      const body = { model: upstream, contents: history ?? [user(rest)], config };
      const chunks = stream
        ? await collected(await client.models.generateContentStream(body))
        : [await client.models.generateContent(body)];
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0].content?.parts ?? []);
      const usage = chunks.at(-1).usageMetadata;
      assert.equal(chunks.at(-1).candidates?.[0].finishReason, "STOP");
      return {
        text: parts.filter((part) => !part.thought).map((part) => part.text ?? "").join(""),
        thoughts: parts.filter((part) => part.thought).map((part) => part.text ?? "").join(""),
        calls: parts.filter((part) => part.functionCall).map((part) => [part.functionCall.id, part.functionCall.args]),
        used: [usage.promptTokenCount, usage.candidatesTokenCount + usage.thoughtsTokenCount],
        turn: [{ role: "model", parts }],
      };
    },
    history: (ask, said, result) => [
      user(ask),
      ...said.turn,
      {
        role: "user",
        parts: said.calls.map(([id]) => ({
          functionResponse: { id, name: LOOK.name, response: { output: result } },
        })),
      },
    ],
    refused: (error) => [error.status, "7"], // it does not show headers
  };
}

/** The AI SDK, which goes round with tools by itself. */
function ai(provider, { thoughts = true, unproven = true } = {}) {
  return {
    thoughts,
    unproven,
    rounds: true,
    async say({ upstream, words, stream, tools, think, picture, form, result }) {
      const image = { type: "file", data: Buffer.from(PICTURE, "base64"), mediaType: "image/png" };
      const content = picture ? [{ type: "text", text: words }, image] : words;
      const more = { model: provider(upstream), messages: [{ role: "user", content }], maxRetries: 0 };
      if (think) {
        more.providerOptions = {
          openai: { reasoningEffort: "high", reasoningSummary: "auto", store: false, forceReasoning: true },
          anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } },
          google: { thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } },
        };
      }
      const asked = [];
      if (tools) {
        const execute = async (given) => {
          asked.push(given);
          return result;
        };
        more.tools = { look: tool({ ...LOOK, inputSchema: jsonSchema(SCHEMA), execute }) };
        more.stopWhen = stepCountIs(3);
      }
      if (form) more.output = Output.object({ schema: jsonSchema(FORM) });
      let failure;
      const answer = stream
        ? streamText({ ...more, onError: ({ error }) => (failure = error) })
        : await generateText(more);
      try {
        return {
          text: await answer.text,
          thoughts: (await answer.reasoningText) ?? "",
          calls: asked.map((given) => ["", given]),
          used: [(await answer.usage).inputTokens, (await answer.usage).outputTokens],
        };
      } catch (error) {
        throw failure ?? error;
      }
    },
    refused: (error) => [error.statusCode, error.responseHeaders["retry-after"]],
  };
}

// ---- the table -------------------------------------------------------------------------------------------------------

const NAMES = Object.keys(clients("http://127.0.0.1:1"));
const OWN = { "@anthropic-ai/sdk": "anthropic-messages", "ai, @ai-sdk/anthropic": "anthropic-messages" };

/** Whether a client is shown the thoughts of a model: those of others would come back to Anthropic unproven. */
const shown = (name, speaker, upstream) =>
  speaker.thoughts !== false && (speaker.unproven !== false || OWN[name] === upstream);

for (const name of NAMES) {
  for (const upstream of UPSTREAMS) {
    for (const stream of [false, true]) {
      test(`${name} over ${upstream}, ${stream ? "streamed" : "whole"}`, async (t) => {
        const speaker = speakers[name];
        const ask = { upstream, stream };

        await t.test("words and counts come back", async () => {
          const said = await speaker.say({ ...ask, words: "hello" });
          assert.equal(said.text, "Hello there");
          assert.deepEqual(said.used, USED);
        });

        await t.test("thoughts come back", async () => {
          const said = await speaker.say({ ...ask, words: "think", think: true });
          assert.equal(said.text, "Done.");
          assert.equal(said.thoughts, shown(name, speaker, upstream) ? "I ponder" : "");
        });

        await t.test("parallel calls and their results make a round", async () => {
          const asked = { ...ask, words: "weather?", tools: true, think: true, result: "sun 7" };
          let said = await speaker.say(asked);
          assert.deepEqual(said.calls.map(([, given]) => given.city), CITIES);
          if (!speaker.rounds) {
            said = await speaker.say({ ...asked, history: speaker.history(asked, said, "sun 7") });
          }
          assert.equal(said.text, "It is sunny.");
          assert.equal((await last()).split("sun 7").length - 1, CITIES.length);
        });

        await t.test("a picture reaches the model", async () => {
          assert.equal((await speaker.say({ ...ask, words: "what is it?", picture: true })).text, "a red square");
          assert.match(await last(), /image\/png/);
        });

        await t.test("structured output comes back", async () => {
          const asked = speaker.say({ ...ask, words: "json please", form: true });
          if (name === "ai, @ai-sdk/anthropic" && upstream === "gemini") {
            // it asks for the call of one tool, and for no second one, which Gemini cannot promise
            await assert.rejects(asked, (error) => error.statusCode === 400 && /parallel_tool_calls/.test(error));
            return;
          }
          const said = await asked;
          assert.deepEqual(JSON.parse(said.text), { city: "Rome", degrees: 21 });
        });

        await t.test("errors are the client's own", async () => {
          await assert.rejects(speaker.say({ ...ask, words: "limited" }), (error) => {
            assert.deepEqual(speaker.refused(error), [429, "7"]);
            return true;
          });
        });
      });
    }
  }
}
