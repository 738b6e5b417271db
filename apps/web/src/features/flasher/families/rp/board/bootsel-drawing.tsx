/** Draws how a person starts the boot ROM: hold BOOTSEL, plug the board in, release the button. */
export function BootselDrawing() {
  return (
    <>
      <p className="silk">Starting BOOTSEL by hand</p>
      <svg
        viewBox="0 0 336 118"
        width="100%"
        role="img"
        aria-label="The BOOTSEL button is held down while the board is plugged in, and released a second later"
        fontFamily="var(--font-mono)"
        fontSize="11.5"
        fill="var(--color-text-muted)"
      >
        <rect x="150" y="16" width="96" height="82" fill="var(--color-accent-soft)" />
        <text x="0" y="41">
          BOOTSEL
        </text>
        <path d="M74 22H110V52H246V22H336" fill="none" stroke="var(--color-port-1)" strokeWidth="2" />
        <text x="0" y="91">
          USB
        </text>
        <path d="M74 98H150V72H336" fill="none" stroke="var(--color-port-4)" strokeWidth="2" />
        <g fontWeight="700" fill="var(--color-text)" textAnchor="middle">
          <text x="110" y="13">
            1
          </text>
          <text x="150" y="13">
            2
          </text>
          <text x="246" y="13">
            3
          </text>
        </g>
        <text x="198" y="114" textAnchor="middle" fill="var(--color-accent-text)">
          1 s
        </text>
      </svg>
    </>
  );
}
