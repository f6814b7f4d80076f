// The programs that the tests need, started and ended.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const { PYTHON } = process.env;
const running = [];

/** Start a Python program and give the last word of the first line that it prints. */
export async function started(args, options) {
  const child = spawn(PYTHON, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line.split(" ").at(-1);
  throw new Error(`${args} ended before it was ready`);
}

/** End all of them. */
export async function ended() {
  await Promise.all(
    running.map((child) => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      return gone;
    }),
  );
}
