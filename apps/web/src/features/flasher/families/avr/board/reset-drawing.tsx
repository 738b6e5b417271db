/** Draws the reset button of a board, and the moment at which to press it. */
export function ResetDrawing() {
  return (
    <>
      <p className="silk">Pressing reset at the right moment</p>
      <svg
        viewBox="0 0 336 100"
        width="100%"
        role="img"
        aria-label="Press Connect first; when the page asks for it, press the reset button once"
        fontFamily="var(--font-mono)"
        fontSize="11.5"
        fill="var(--color-text-muted)"
      >
        <rect
          x="24"
          y="30"
          width="104"
          height="30"
          rx="4"
          fill="var(--color-accent-soft)"
          stroke="var(--color-accent-line)"
          strokeWidth="2"
        />
        <text x="76" y="49" textAnchor="middle" fill="var(--color-accent-text)">
          Connect
        </text>
        <text x="76" y="86" textAnchor="middle" fontWeight="700" fill="var(--color-text)">
          1
        </text>
        <path d="M140 45H206M198 39L206 45L198 51" fill="none" stroke="var(--color-border-control)" strokeWidth="2" />
        <rect x="226" y="24" width="52" height="44" rx="4" fill="none" stroke="var(--color-border-control)" />
        <circle cx="252" cy="46" r="12" fill="var(--color-raised)" stroke="var(--color-port-4)" strokeWidth="2" />
        <text x="252" y="16" textAnchor="middle">
          RESET
        </text>
        <text x="252" y="86" textAnchor="middle" fontWeight="700" fill="var(--color-text)">
          2
        </text>
      </svg>
    </>
  );
}
