// The sounds of wood: a disc put down, discs turning over, a pass, a move that is none. Made here, no file needed.

import { app, subscribe, update } from "../shell/store.js";
import { options } from "../shell/options.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let wood = null; // one knock

const LENGTH = 0.15; // seconds
/** Where a small board of wood rings: frequency in hertz, how sharply, how loud. */
const RINGS = /** @type {const} */ ([
  [310, 5, 1.0],
  [840, 9, 0.75],
  [1630, 12, 0.4],
  [2900, 10, 0.18],
]);

const SETTLED = 1000; // milliseconds after the first board: the page has done by then what it had to do
let due = Infinity;

/**
 * Opening the device takes a tenth of a second or more, so it is done while nobody waits and no disc turns: browsers let
 * it sound only once the page is touched, but it may stand ready before.
 */
export function setUpSound() {
  subscribe(() => {
    if (due === Infinity && app.game) {
      due = performance.now() + SETTLED;
      setTimeout(update, SETTLED);
    } else if (isDue()) open();
  });
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, device, { once: true, capture: true });
}

const isDue = () => performance.now() >= due;

function open() {
  if (context || !(options.volume > 0)) return;
  try {
    context = new AudioContext();
    record(context.sampleRate).then((buffer) => (wood = buffer), () => {});
  } catch {
    // No sound device: nothing to tell.
  }
}

/** The device, once the player has touched the page: before that browsers allow no sound. */
function device() {
  if (!(options.volume > 0) || document.hidden || navigator.userActivation?.hasBeenActive === false) return null;
  if (isDue()) open();
  if (context?.state === "suspended") context.resume().catch(() => {});
  return context;
}

/**
 * One knock on wood, worked out once: to play it takes next to nothing, and it is played while discs turn.
 * @param {number} rate samples a second
 */
function record(rate) {
  const audio = new OfflineAudioContext(1, Math.ceil(rate * LENGTH), rate);
  const noise = audio.createBuffer(1, Math.ceil(rate * LENGTH), rate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (rate * 0.012));
  const out = audio.createGain();
  fade(out.gain, 1, LENGTH);
  out.connect(audio.destination);
  for (const [frequency, sharp, share] of RINGS) {
    const hit = audio.createBufferSource();
    hit.buffer = noise;
    const ring = audio.createBiquadFilter();
    ring.type = "bandpass";
    ring.frequency.value = frequency;
    ring.Q.value = sharp;
    const gain = audio.createGain();
    gain.gain.value = share * 3;
    hit.connect(ring).connect(gain).connect(out);
    hit.start();
  }
  // The board under it: a short low thump.
  const body = audio.createOscillator();
  const bodyGain = audio.createGain();
  body.frequency.setValueAtTime(190, 0);
  body.frequency.exponentialRampToValueAtTime(95, 0.06);
  fade(bodyGain.gain, 0.55, 0.07);
  body.connect(bodyGain).connect(out);
  body.start();
  body.stop(0.08);
  return audio.startRendering();
}

/**
 * @param {AudioParam} gain
 * @param {number} loud
 * @param {number} seconds
 */
function fade(gain, loud, seconds) {
  gain.setValueAtTime(loud, 0);
  gain.exponentialRampToValueAtTime(0.001, seconds);
}

/**
 * @param {number} after seconds from now
 * @param {number} loud 0 to 1
 * @param {number} pitch 1 is a disc on the board
 */
function knock(after, loud, pitch) {
  const audio = device();
  if (!audio || !wood) return;
  const hit = audio.createBufferSource();
  hit.buffer = wood;
  hit.playbackRate.value = pitch;
  const volume = audio.createGain();
  volume.gain.value = loud * options.volume;
  hit.connect(volume).connect(audio.destination);
  hit.start(audio.currentTime + after);
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

const TUNES = { won: [1, 1.26, 1.5, 2], lost: [1, 0.84, 0.67], draw: [1, 1.26, 1] };

/**
 * The end of a game, on bars of wood.
 * @param {keyof typeof TUNES} how
 */
export function endSound(how) {
  TUNES[how].forEach((pitch, at) => knock(0.2 + 0.14 * at, 0.6, pitch));
}

/** A square that cannot be played. */
export function refusalSound() {
  knock(0, 0.35, 0.5);
}
