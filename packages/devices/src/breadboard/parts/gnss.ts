/**
 * A GNSS receiver that prints its position once a second on a UART, 9600 8N1: RMC and GGA (NMEA 0183, sections "RMC"
 * and "GGA"). It moves around a block of houses once in four minutes.
 */
import type { Level } from '../net.ts';
import type { Signal } from '../wave.ts';

const baudRate = 9_600;
const bitTime = 1_000 / baudRate;
/** Bits of a character: start bit, eight data bits, stop bit. */
const characterBits = 10;
const interval = 1_000;
/** Centre and radius of its circular way, in degrees. */
const start = { latitude: 48.137_2, longitude: 11.575_6, radius: 0.000_6 };
/** The receiver's time when it gets power. */
const powerOn = Date.UTC(2026, 0, 1, 12, 0, 0);

export class Gnss implements Signal {
  #second = -1;
  #text = new Uint8Array();

  /**
   * Returns the level of its TX.
   * @param time Milliseconds of the breadboard's clock.
   */
  level(time: number): Level {
    const bit = this.#bitAt(time);
    const character = this.#text[Math.floor(bit / characterBits)];
    if (character === undefined) {
      return 1;
    }
    const within = bit % characterBits;
    return within === 0 ? 0 : within === characterBits - 1 ? 1 : (((character >> (within - 1)) & 1) as Level);
  }

  next(time: number): number {
    const bit = this.#bitAt(time) + 1;
    return bit < this.#text.length * characterBits + 1 ? this.#startOf(bit) : (this.#second + 1) * interval;
  }

  /**
   * Returns the number of bits since the second began, and loads the text of that second. A bit begins exactly at the
   * time that `next` returns for it, despite rounding.
   */
  #bitAt(time: number): number {
    const second = Math.max(0, Math.floor(time / interval));
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new TextEncoder().encode(sentences(second));
    }
    const bit = Math.max(0, Math.floor((time - second * interval) / bitTime));
    return this.#startOf(bit + 1) <= time ? bit + 1 : bit > 0 && this.#startOf(bit) > time ? bit - 1 : bit;
  }

  #startOf(bit: number): number {
    return this.#second * interval + bit * bitTime;
  }
}

/** Returns the output of the second that begins `second` seconds after power-on. */
function sentences(second: number): string {
  const angle = (second / 240) * 2 * Math.PI;
  const latitude = start.latitude + start.radius * Math.sin(angle);
  const longitude = start.longitude + start.radius * Math.cos(angle);
  const date = new Date(powerOn + second * 1_000).toISOString();
  const time = `${date.slice(11, 13)}${date.slice(14, 16)}${date.slice(17, 19)}.00`;
  const day = `${date.slice(8, 10)}${date.slice(5, 7)}${date.slice(2, 4)}`;
  const place = `${degreesAndMinutes(latitude, 2)},N,${degreesAndMinutes(longitude, 3)},E`;
  return (
    sentence(`GPRMC,${time},A,${place},2.1,${((360 - (angle * 180) / Math.PI) % 360).toFixed(1)},${day},,,A`) +
    sentence(`GPGGA,${time},${place},1,08,1.1,519.0,M,47.0,M,,`)
  );
}

function degreesAndMinutes(degrees: number, digits: number): string {
  const whole = Math.floor(degrees);
  return `${String(whole).padStart(digits, '0')}${((degrees - whole) * 60).toFixed(4).padStart(7, '0')}`;
}

function sentence(content: string): string {
  const sum = [...content].reduce((all, character) => all ^ character.charCodeAt(0), 0);
  return `$${content}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}
