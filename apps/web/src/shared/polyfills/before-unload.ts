/** Before Chromium 119 a `beforeunload` event asks the person only when its `returnValue` is set; `preventDefault` alone did nothing. */
export function provideBeforeUnload(): void {
  const { preventDefault } = Event.prototype;
  BeforeUnloadEvent.prototype.preventDefault = function ask() {
    preventDefault.call(this);
    // Any text: the browser words the question itself.
    this.returnValue = 'leave';
  };
}
