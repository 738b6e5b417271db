/** Turns the times in a log's prefixes into milliseconds since the Unix epoch. Dates and times are local. */

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Step back from which a time of day without a date is no correction of the clock, in milliseconds. */
const MAX_CORRECTION = 60_000;

export class LogClock {
  readonly #year: number;
  readonly #month: number;
  readonly #day: number;
  #days = 0;
  #isUnsteady = false;
  #lacksDates = false;
  #isRelative = false;
  /** Time of day of the last line without a date, in milliseconds. */
  #last: number | null = null;
  #elapsed = 0;
  /** The last date and hour, and their time. Most lines share both with the line before. */
  #hour = { year: 0, month: 0, day: 0, hour: -1, at: 0 };

  /** @param day A time on the day of the first line, for logs without dates, in milliseconds since the Unix epoch. */
  constructor(day: number) {
    const date = new Date(day);
    this.#year = date.getFullYear();
    this.#month = date.getMonth() + 1;
    this.#day = date.getDate();
  }

  /** Midnights that passed between the first and the last time without a date. */
  get days(): number {
    return this.#days;
  }

  /** True: a time of day went back, and not at midnight. The day of the lines behind it is unknown. */
  get isUnsteady(): boolean {
    return this.#isUnsteady;
  }

  /** True: some times had no date, or no year. */
  get lacksDates(): boolean {
    return this.#lacksDates;
  }

  /** True: some times count from a start or from the previous line, so their time of day is unknown. */
  get isRelative(): boolean {
    return this.#isRelative;
  }

  /** @param within Milliseconds since the start of the hour. */
  dated(year: number, month: number, day: number, hour: number, within: number): number {
    const last = this.#hour;
    if (last.hour !== hour || last.day !== day || last.month !== month || last.year !== year) {
      this.#hour = { year, month, day, hour, at: new Date(year, month - 1, day, hour).getTime() };
    }
    return this.#hour.at + within;
  }

  /** Returns the time of a date without a year: the last such date that is at most a day after the clock's own day. */
  withoutYear(month: number, day: number, hour: number, within: number): number {
    this.#lacksDates = true;
    const at = this.dated(this.#year, month, day, hour, within);
    const limit = new Date(this.#year, this.#month - 1, this.#day + 2).getTime();
    return at < limit ? at : this.dated(this.#year - 1, month, day, hour, within);
  }

  /**
   * Returns a time of day without a date. A time that is more than half a day earlier than the last one belongs to the
   * next day.
   *
   * @param time Milliseconds since midnight.
   */
  timeOfDay(time: number): number {
    this.#lacksDates = true;
    const back = (this.#last ?? time) - time;
    if (back > DAY / 2) {
      this.#days++;
    } else if (back > MAX_CORRECTION) {
      this.#isUnsteady = true;
    }
    this.#last = time;
    const hour = Math.floor(time / HOUR);
    // By date and hour, because a day may have 23 or 25 hours.
    return this.dated(this.#year, this.#month, this.#day + this.#days, hour, time - hour * HOUR);
  }

  /** @param time Milliseconds since the log began. They count from midnight. */
  since(time: number): number {
    this.#isRelative = true;
    return new Date(this.#year, this.#month - 1, this.#day).getTime() + time;
  }

  /** @param time Milliseconds since the previous line. */
  sincePrevious(time: number): number {
    this.#elapsed += time;
    return this.since(this.#elapsed);
  }
}

/** Returns the same time of day, some days earlier. */
export function daysBefore(at: number, days: number): number {
  const date = new Date(at);
  date.setDate(date.getDate() - days);
  return date.getTime();
}
