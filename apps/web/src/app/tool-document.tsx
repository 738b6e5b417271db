import type { ReactNode } from 'react';
import { FeedbackSlot } from '../features/feedback/feedback-slot.tsx';
import { hasServer } from '../shared/edition.ts';
import { CopyByHand } from '../shared/files/copy-by-hand.tsx';
import { Toaster } from '../shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Page } from './page.tsx';
import { SkipLink } from './skip-link.tsx';
import { UpdateOffer } from './update-offer.tsx';

export interface ToolDocumentProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A tool that is a document of its own, with the same frame around it as the app's pages. */
export function ToolDocument({ title, children }: ToolDocumentProps) {
  return (
    <ErrorBoundary>
      <SkipLink />
      <Header />
      <Page title={title}>{children}</Page>
      {hasServer ? <FeedbackSlot /> : null}
      <UpdateOffer />
      <Toaster />
      <CopyByHand />
    </ErrorBoundary>
  );
}
