/**
 * Sets `returnValue` for `beforeunload`. Before Chromium 119, `preventDefault` alone did not make the browser ask the
 * user.
 */
export function provideBeforeUnload(): void {
  const { preventDefault } = Event.prototype;
  BeforeUnloadEvent.prototype.preventDefault = function ask() {
    preventDefault.call(this);
    // Any text works, because the browser shows its own question.
    this.returnValue = 'leave';
  };
}
