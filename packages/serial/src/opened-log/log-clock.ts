/** Turns the times in a log's prefixes into milliseconds since the Unix epoch. Dates and times are local. */

const DAY = 86_400_000;

export class LogClock {
  readonly #base: number;
  #days = 0;
  /** Time of day of the last line without a date, in milliseconds. */
  #last: number | null = null;
  #elapsed = 0;
  /** The last date and hour, and their time. Most lines share both with the line before. */
  #hour = { year: 0, month: 0, day: 0, hour: -1, at: 0 };

  /** @param day A time on the day of the first line, for logs without dates, in milliseconds since the Unix epoch. */
  constructor(day: number) {
    const date = new Date(day);
    this.#base = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  }

  /** @param within Milliseconds since the start of the hour. */
  dated(year: number, month: number, day: number, hour: number, within: number): number {
    const last = this.#hour;
    if (last.hour !== hour || last.day !== day || last.month !== month || last.year !== year) {
      this.#hour = { year, month, day, hour, at: new Date(year, month - 1, day, hour).getTime() };
    }
    return this.#hour.at + within;
  }

  /**
   * Returns a time of day without a date. A time that is more than half a day earlier than the last one belongs to the
   * next day.
   *
   * @param time Milliseconds since midnight.
   */
  timeOfDay(time: number): number {
    if (this.#last !== null && time < this.#last - DAY / 2) {
      this.#days++;
    }
    this.#last = time;
    return this.since(time + this.#days * DAY);
  }

  /** @param time Milliseconds since the log began. They count from midnight. */
  since(time: number): number {
    return this.#base + time;
  }

  /** @param time Milliseconds since the previous line. */
  sincePrevious(time: number): number {
    this.#elapsed += time;
    return this.since(this.#elapsed);
  }
}
