import { Component, type ErrorInfo, type ReactNode } from 'react';
import { FailurePage } from './failure-page.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Address of the page. A change clears the failure and renders the children again. */
  readonly resetKey?: string;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown } | null;
  readonly resetKey: string | undefined;
}

/** Shows a failure with its remedy in the place of what failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return resetKey === state.resetKey ? null : { failure: null, resetKey };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error('A page failed.', error, componentStack);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : <FailurePage error={failure.error} />;
  }
}
