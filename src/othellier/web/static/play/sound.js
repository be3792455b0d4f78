// The sounds of wood: a disc put down, discs turning over, a pass, a move that is none. Made here, no file needed.

import { options } from "../shell/options.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

const NOISE = 0.15; // seconds
/** Where a small board of wood rings: frequency in hertz, how sharply, how loud. */
const RINGS = /** @type {const} */ ([
  [310, 5, 1.0],
  [840, 9, 0.75],
  [1630, 12, 0.4],
  [2900, 10, 0.18],
]);

/** Opening the device takes a tenth of a second or more: it is done when a finger comes down, before discs turn. */
export function setUpSound() {
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, open, { once: true, capture: true });
}

function open() {
  if (!(options.volume > 0)) return;
  try {
    context ??= new AudioContext();
    if (!noise) {
      noise = context.createBuffer(1, context.sampleRate * NOISE, context.sampleRate);
      const samples = noise.getChannelData(0);
      for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (context.sampleRate * 0.012));
    }
  } catch {
    // No sound device: nothing to tell.
  }
}

/** The device, once the player has touched the page: before that browsers allow no sound. */
function device() {
  if (!(options.volume > 0) || document.hidden || navigator.userActivation?.hasBeenActive === false) return null;
  open();
  if (context?.state === "suspended") context.resume().catch(() => {});
  return context;
}

/**
 * One knock on wood.
 * @param {number} after seconds from now
 * @param {number} loud 0 to 1
 * @param {number} pitch 1 is a disc on the board
 */
function knock(after, loud, pitch) {
  const audio = device();
  if (!audio || !noise) return;
  const start = audio.currentTime + after;
  const out = audio.createGain();
  out.gain.setValueAtTime(loud * options.volume, start);
  out.gain.exponentialRampToValueAtTime(0.001, start + NOISE);
  out.connect(audio.destination);
  for (const [frequency, sharp, share] of RINGS) {
    const hit = audio.createBufferSource();
    hit.buffer = noise;
    const ring = audio.createBiquadFilter();
    ring.type = "bandpass";
    ring.frequency.value = frequency * pitch;
    ring.Q.value = sharp;
    const gain = audio.createGain();
    gain.gain.value = share * 3;
    hit.connect(ring).connect(gain).connect(out);
    hit.start(start);
  }
  // The board under it: a short low thump.
  const body = audio.createOscillator();
  const bodyGain = audio.createGain();
  body.frequency.setValueAtTime(190 * pitch, start);
  body.frequency.exponentialRampToValueAtTime(95 * pitch, start + 0.06);
  bodyGain.gain.setValueAtTime(0.55, start);
  bodyGain.gain.exponentialRampToValueAtTime(0.001, start + 0.07);
  body.connect(bodyGain).connect(out);
  body.start(start);
  body.stop(start + 0.08);
}

/**
 * A disc put down, then the waves of those it turns.
 * @param {number[]} waves how many discs each turns
 * @param {{flip: number, step: number, put: number} | null} tempo null where nothing is seen turning
 */
export function moveSound(waves, tempo) {
  knock(0, 0.9, 1);
  if (!tempo) return;
  waves.forEach((count, wave) => {
    if (count) knock((tempo.put + wave * tempo.step + tempo.flip * 0.8) / 1000, Math.min(0.5, 0.22 + 0.07 * count), 1.35 + 0.05 * wave);
  });
}

export function passSound() {
  knock(0, 0.5, 0.7);
  knock(0.16, 0.5, 0.7);
}

/** A square that cannot be played. */
export function refusalSound() {
  knock(0, 0.35, 0.5);
}
