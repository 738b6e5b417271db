import { Terminal } from '../../features/terminal/terminal.tsx';

/** `/app/uart` */
export function TerminalPage() {
  return <Terminal />;
}
