/**
 * Keeps an error in one part of the app window: it shows the reason and retries on request, or when `holds`
 * changes.
 */
import { Component, use, type ContextType, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { Banner } from './Banner';
import { Button } from '../controls/Button';
import { ErrorContext } from './errorContext';
import { Disclosure } from '../controls/Disclosure';

type ErrorBoundaryProps = {
  /** The key of the content; another key resets the boundary. */
  holds: unknown;
  /** Replaces the default error view. */
  instead?: (failure: ReactNode) => ReactNode;
  children: ReactNode;
};

/** Anything may be thrown. */
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
          // Before the content renders again: it would find the same failed query.
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
