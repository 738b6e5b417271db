/** A short tone, at most one a second. Browsers allow it once a person has used the page. */

/** In milliseconds. */
const pause = 1_000;
/** In seconds and hertz. */
const [length, pitch] = [0.15, 880];

let context: AudioContext | null = null;
let last = Number.NEGATIVE_INFINITY;

export function beep(): void {
  if (performance.now() - last < pause) {
    return;
  }
  last = performance.now();
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  const tone = new OscillatorNode(context, { frequency: pitch });
  const volume = new GainNode(context, { gain: 0.15 });
  volume.gain.setTargetAtTime(0, currentTime + length, length / 8);
  tone.connect(volume).connect(destination);
  tone.start();
  tone.stop(currentTime + length * 2);
  void context.resume();
}
