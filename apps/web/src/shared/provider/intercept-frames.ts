import { isLoginStatus, loginStatusPage } from './login-status.ts';

/** Redirects frames for the provider's login-status page to the local page. Changes the given prototype. */
export function interceptFrames(prototype: HTMLIFrameElement): void {
  const src = Object.getOwnPropertyDescriptor(prototype, 'src');
  const { setAttribute } = prototype;
  const local = (address: string) => (isLoginStatus(address) ? loginStatusPage : address);
  if (src?.get === undefined) {
    return;
  }
  const { get } = src;
  Object.defineProperty(prototype, 'src', {
    configurable: true,
    enumerable: true,
    get,
    set(this: HTMLIFrameElement, address: unknown) {
      setAttribute.call(this, 'src', local(String(address)));
    },
  });
  prototype.setAttribute = function (this: HTMLIFrameElement, name: string, value: string) {
    setAttribute.call(this, name, name.toLowerCase() === 'src' ? local(String(value)) : value);
  };
}
