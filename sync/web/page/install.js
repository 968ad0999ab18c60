// SPDX-License-Identifier: Apache-2.0
// What makes a page an app. It opens without the board's computer, makes a sound, and keeps the screen on while a
// game runs.
import { make, memory } from "./dom.js";
import { language, text } from "./text.js";

// Browsers offer it for https and this machine only; without it the page works as before.
navigator.serviceWorker?.register("sw.js").catch(() => {});

// The sound of wood on wood, made of noise. A browser allows sound only after somebody has touched the page: then a
// sound of no length is tried until one has been played. A finger counts when it leaves the glass. Between sounds the
// output rests. One that runs keeps a phone's loudspeaker awake.
let audio = null,
  sounding = 0,
  allowed = false;
const wake = () => {
  if (allowed || memory.get("sound") === "off" || !window.AudioContext) return;
  audio ||= new AudioContext();
  sound(audio.createBuffer(1, 1, audio.sampleRate), audio.destination);
};
for (const touch of ["pointerdown", "pointerup", "keydown"]) addEventListener(touch, wake, { capture: true });

// Plays the sound of a move, or reads the move aloud where that was chosen. A phone shakes a little.
export function hear(san) {
  if (memory.get("sound") === "off") return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
  if (memory.get("sound") === "spoken" && window.speechSynthesis)
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text.spoken(san)), { lang: language }));
  else knock();
}

function sound(buffer, through, heard) {
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(through);
  sounding++;
  source.onended = () => {
    allowed = true;
    if (!--sounding) audio.suspend();
    heard?.();
  };
  audio.resume();
  source.start();
}

function knock() {
  if (!audio || memory.get("sound") === "off") return;
  const long = 0.07,
    buffer = audio.createBuffer(1, long * audio.sampleRate, audio.sampleRate),
    wave = buffer.getChannelData(0);
  for (let i = 0; i < wave.length; i++) wave[i] = (2 * Math.random() - 1) * Math.exp((-i / wave.length) * 9) * 0.5;
  const low = audio.createBiquadFilter();
  Object.assign(low, { type: "lowpass" });
  low.frequency.value = 900;
  low.connect(audio.destination);
  sound(buffer, low, () => {
    document.body.dataset.knocks = knock.count = (knock.count || 0) + 1;
  });
}

// The screen stays on while a game runs and the page is seen. A device that does not let it goes dark as always.
let lock = null,
  wanted = false;
export async function awake(on) {
  if (on === wanted && (!on || lock)) return;
  wanted = on;
  if (!on) {
    lock?.release();
    lock = null;
  } else if (!document.hidden) lock = (await navigator.wakeLock?.request("screen").catch(() => null)) || null;
  lock?.addEventListener("release", () => {
    lock = null;
  });
  document.body.dataset.awake = on;
}
document.addEventListener("visibilitychange", () => {
  if (wanted && !document.hidden) {
    wanted = false;
    awake(true);
  }
});

// The board cannot be reached: say so, and go on as soon as it can.
export function offline(root) {
  make("p", "state", root, text.install.offline).role = "status";
  setInterval(async () => {
    if (
      await fetch("api/login").then(
        (r) => r.ok,
        () => false,
      )
    )
      location.reload();
  }, 3000);
}
