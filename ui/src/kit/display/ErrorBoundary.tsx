/**
 * Keeps a broken part of the window from taking the rest with it, and what could not be read from being
 * waited for: it says why, and tries again when it is asked to, or when it holds something else.
 */
import { Component, use, type ContextType, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { Banner } from './Banner';
import { Button } from '../controls/Button';
import { ErrorContext } from './errorContext';
import { Disclosure } from '../controls/Disclosure';

type ErrorBoundaryProps = {
  /** What it holds, by what tells it from another. */
  holds: unknown;
  /** What is shown instead, where that is more or less than why it broke. */
  instead?: (failure: ReactNode) => ReactNode;
  children: ReactNode;
};

/** What was thrown may be anything. */
type ErrorBoundaryState = { holds: unknown; broken: { thrown: unknown } | null };

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static override contextType = ErrorContext;
  declare context: ContextType<typeof ErrorContext>;

  override state: ErrorBoundaryState = { holds: this.props.holds, broken: null };

  static getDerivedStateFromError(thrown: unknown): Partial<ErrorBoundaryState> {
    return { broken: { thrown } };
  }

  static getDerivedStateFromProps(
    { holds }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return Object.is(holds, state.holds) ? null : { holds, broken: null };
  }

  override componentDidUpdate(_: ErrorBoundaryProps, before: ErrorBoundaryState) {
    if (before.broken && !this.state.broken) this.context.forget();
  }

  override componentWillUnmount() {
    if (this.state.broken) this.context.forget();
  }

  override render() {
    const { broken } = this.state;
    if (!broken) return this.props.children;
    const failure = (
      <ErrorFallback
        thrown={broken.thrown}
        onRetry={() => {
          // Before it is shown again: what shows it would find that it had failed.
          this.context.forget();
          this.setState({ broken: null });
        }}
      />
    );
    return this.props.instead ? this.props.instead(failure) : failure;
  }
}

function ErrorFallback({ thrown, onRetry }: { thrown: unknown; onRetry: () => void }) {
  const text = useText();
  const words = use(ErrorContext).words(thrown);
  const again = <Button onClick={onRetry}>{text('kit.tryAgain')}</Button>;
  if (words !== null) {
    return (
      <Banner kind="danger" actions={again}>
        {words}
      </Banner>
    );
  }
  return (
    <Banner
      kind="danger"
      actions={
        <>
          {again}
          <Button
            onClick={() => {
              window.location.reload();
            }}
          >
            {text('kit.reload')}
          </Button>
        </>
      }
    >
      <strong>{text('kit.failedTitle')}</strong>
      <p>{text('kit.failedAdvice')}</p>
      <Disclosure label={text('kit.errorDetails')}>
        <code>{thrown instanceof Error ? thrown.message : String(thrown)}</code>
      </Disclosure>
    </Banner>
  );
}
