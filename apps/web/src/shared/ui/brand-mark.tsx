/** The product's mark: a frame on a wire. Takes its colour from the text, its size from who shows it. */
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
