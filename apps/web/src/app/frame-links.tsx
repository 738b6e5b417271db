/**
 * Gives the frame around a page its current address and its links. In the app they come from the router. A standalone
 * document loads no router, and its links lead to other documents.
 */
import { type ComponentType, createContext, type ReactNode, use } from 'react';

export interface FrameLinkProps {
  readonly to: string;
  readonly className?: string | undefined;
  readonly 'aria-current'?: 'page' | undefined;
  readonly target?: '_blank' | undefined;
  readonly children: ReactNode;
}

interface FramePlace {
  readonly pathname: string;
  readonly Link: ComponentType<FrameLinkProps>;
}

function DocumentLink({ to, ...rest }: FrameLinkProps) {
  return <a {...rest} href={to} />;
}

/** Null in a document of its own. */
export const FramePlaceContext = createContext<FramePlace | null>(null);

export function useFramePathname(): string {
  return use(FramePlaceContext)?.pathname ?? location.pathname;
}

export function FrameLink(props: FrameLinkProps) {
  const Link = use(FramePlaceContext)?.Link ?? DocumentLink;
  return <Link {...props} />;
}
