// A headless Chromium that is controlled through a pipe, which requires no package.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function open(program) {
  const profile = mkdtempSync(join(tmpdir(), "tracegauge-browser-"));
  const child = spawn(program, [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map();
  const listeners = [];
  let next = 1;
  let rest = "";
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const fail = (error) => waiting.forEach(({ reject }) => reject(error));
  child.on("error", fail);
  child.on("exit", () => fail(new Error("the browser ended")));
  child.stdio[4].setEncoding("utf8").on("data", (part) => {
    const messages = (rest + part).split("\0");
    rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (!asked) listeners.forEach((listener) => listener(message));
      else if (message.error) asked.reject(new Error(message.error.message));
      else asked.resolve(message.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, { resolve, reject });
    child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const call = (method, params) => send(method, params, sessionId);
  const page = new Page(call, listeners);
  await page.begin();
  return { page, close: async () => {
    send("Browser.close").catch(() => {});
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  } };
}

class Page {
  constructor(call, listeners) {
    this.call = call;
    this.requests = [];
    this.errors = [];
    this.loaded = [];
    listeners.push(({ method, params }) => {
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
      if (method === "Runtime.exceptionThrown") this.errors.push(JSON.stringify(params.exceptionDetails));
      if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
      if (method === "Page.loadEventFired") this.loaded.splice(0).forEach((resolve) => resolve());
    });
  }

  async begin() {
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.call(`${domain}.enable`);
  }

  async go(url) {
    // The address without its hash must differ, or else nothing is loaded.
    await this.call("Page.navigate", { url: "about:blank" });
    const loaded = new Promise((resolve) => this.loaded.push(resolve));
    await this.call("Page.navigate", { url });
    await loaded;
    await this.run("new Promise(resolve => document.readyState === 'complete' ? resolve() : addEventListener('load', resolve))");
  }

  async size(width, height) {
    await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }

  async media(features, media = "") {
    const list = Object.entries(features).map(([name, value]) => ({ name, value }));
    await this.call("Emulation.setEmulatedMedia", { media, features: list });
  }

  /** Returns the value of an expression in the page. */
  async run(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits for two frames, after which all effects of previous events are complete. */
  async settle() {
    await this.run("new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))");
  }

  async key(key, text = undefined) {
    const codes = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };
    const typed = text ?? (key === "Enter" ? "\r" : undefined);
    const event = { key, windowsVirtualKeyCode: codes[key], text: typed };
    await this.call("Input.dispatchKeyEvent", { type: typed ? "keyDown" : "rawKeyDown", ...event });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    await this.settle();
  }

  async type(text) {
    await this.call("Input.insertText", { text });
    await this.settle();
  }

  async picture(whole = false) {
    const { data } = await this.call("Page.captureScreenshot", { captureBeyondViewport: whole });
    return Buffer.from(data, "base64");
  }
}
