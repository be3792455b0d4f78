// The sound of a disc put down: made here, no file needed. Off unless asked for.

/** @type {AudioContext | null} */
let context = null;

export function click() {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.25, now);
    gain.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
    const tone = context.createOscillator();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(420, now);
    tone.frequency.exponentialRampToValueAtTime(160, now + 0.08);
    tone.connect(gain).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.1);
  } catch {
    // No sound device: nothing to tell.
  }
}
