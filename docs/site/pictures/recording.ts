/** The recording: a question, why its answer is what it is, and an agent at the door. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { PictureWorld } from "./world.ts";

const SIZE = { width: 1120, height: 700 };
const FRAMES_A_SECOND = 8;
/** Longest film, in seconds. A longer recording, from a machine that draws and films at once, is sped up. */
const SECONDS_MAX = 21;

export async function record(
  page: Page,
  url: string,
  world: PictureWorld,
  folder: string,
  to: string,
): Promise<void> {
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${url}/admin/${world.teamId}?range=day`);
  await page.getByText("How long recall takes").waitFor();
  await page.waitForTimeout(700);
  const stop = await filmed(page, folder);
  await work(page, world);
  assemble(folder, await stop(), to);
}

async function work(page: Page, world: PictureWorld): Promise<void> {
  const pause = (seconds: number) => page.waitForTimeout(seconds * 1000);
  const click = async (target: Locator) => {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box)
      await page.mouse.move(box.x + Math.min(box.width / 2, 120), box.y + box.height / 2, { steps: 14 });
    await pause(0.25);
    await target.click();
  };
  await pause(1.6);
  await click(page.getByRole("link", { name: "Memories", exact: true }));
  await page
    .getByText(/newest first/)
    .first()
    .waitFor();
  await pause(0.8);
  await page.keyboard.press("/");
  await page.keyboard.type("where is the staging gateway?", { delay: 38 });
  await page.keyboard.press("Enter");
  await click(page.getByRole("button", { name: /The staging gateway moved from gw-1 to gw-3/ }));
  await click(page.getByRole("tab", { name: "History" }));
  await page.getByText(/versions, newest first/).waitFor();
  await pause(2);
  await click(page.getByRole("link", { name: "Recall lab" }));
  await page.keyboard.press("/");
  await page.keyboard.type("who has the key of the gateway?", { delay: 38 });
  await page.keyboard.press("Enter");
  await page.getByText("weighed").waitFor();
  await pause(0.9);
  await click(page.getByRole("button", { name: /^Why: / }).first());
  await pause(1.6);
  await click(page.getByRole("link", { name: "Projects", exact: true }));
  await click(page.getByRole("link", { name: "apollo" }).first());
  await click(page.getByRole("link", { name: "Board" }));
  await page.getByText("Renew the certificate").first().waitFor();
  await pause(1.6);
  await click(page.getByRole("link", { name: "People and agents", exact: true }));
  await click(page.getByRole("button", { name: "Add agent" }));
  await page.getByRole("textbox", { name: "Code" }).pressSequentially(world.asked.code, { delay: 30 });
  await click(page.getByRole("button", { name: "Look who it is" }));
  await page
    .getByText(/taken over/)
    .first()
    .waitFor();
  await pause(1.6);
  await page.keyboard.press("Escape");
  await click(page.getByRole("button", { name: "Use the dark scheme" }));
  await click(page.getByRole("link", { name: "Home", exact: true }));
  await page.getByText("How long recall takes").waitFor();
  await pause(1.8);
}

interface Frame {
  readonly file: string;
  readonly at: number;
}

/** Keeps every frame that the browser draws, as it draws it; the pointer is drawn along, which no browser does by itself. */
async function filmed(page: Page, folder: string): Promise<() => Promise<readonly Frame[]>> {
  await page.evaluate(() => {
    const pointer = document.createElement("div");
    Object.assign(pointer.style, {
      position: "fixed",
      left: "0",
      top: "0",
      width: "18px",
      height: "18px",
      borderRadius: "50%",
      background: "rgba(11, 92, 138, 0.45)",
      border: "2px solid #fff",
      boxShadow: "0 0 0 1px rgba(0,0,0,.35)",
      pointerEvents: "none",
      zIndex: "9999",
      transform: "translate(-100px, -100px)",
    });
    document.body.append(pointer);
    window.addEventListener(
      "mousemove",
      ({ clientX, clientY }) => {
        pointer.style.transform = `translate(${clientX - 9}px, ${clientY - 9}px)`;
      },
      true,
    );
  });
  const session = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, "0")}.png`);
    writeFileSync(file, Buffer.from(data, "base64"));
    frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  return async () => {
    await session.send("Page.stopScreencast");
    frames.push({ file: frames.at(-1)?.file ?? "", at: Date.now() / 1000 });
    return frames;
  };
}

/** Each frame for as long as it was seen, or its part of the longest that it may all take, as one animated picture. */
function assemble(folder: string, frames: readonly Frame[], to: string): void {
  const length = (frames.at(-1)?.at ?? 0) - (frames[0]?.at ?? 0);
  const pace = Math.min(1, SECONDS_MAX / length);
  const lines = frames.slice(0, -1).flatMap(({ file, at }, index) => {
    const until = frames[index + 1]?.at ?? at;
    return [`file '${file}'`, `duration ${Math.max(0.01, (until - at) * pace).toFixed(3)}`];
  });
  const list = join(folder, "frames.txt");
  writeFileSync(list, `${lines.join("\n")}\n`);
  const { status, stderr } = spawnSync(
    "ffmpeg",
    [
      ...["-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", list],
      ...["-vf", `fps=${FRAMES_A_SECOND},scale=${SIZE.width}:-2:flags=lanczos`],
      // With losses, what a page leaves behind stays on the next one as a shadow; plain areas are as small without.
      ...["-c:v", "libwebp_anim", "-lossless", "1", "-compression_level", "5", "-loop", "0", to],
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}
