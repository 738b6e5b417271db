/** Which system this is, where a remedy depends on it. In doubt it is none of those that are asked for. */

/** Android is not meant: what helps on a desk does not help there. */
export function onLinux(agent: string = navigator.userAgent): boolean {
  return /Linux/.test(agent) && !/Android/.test(agent);
}
