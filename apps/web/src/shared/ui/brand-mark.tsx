/** The product's logo: a frame on a wire. Its colour is that of the text, and the parent sets its size. */
export function BrandMark() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="square"
      aria-hidden="true"
    >
      <path d="M2.5 5v14h6.4V11h6.2v8h6.4V5" />
    </svg>
  );
}
