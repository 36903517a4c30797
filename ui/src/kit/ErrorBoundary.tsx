/**
 * Keeps a broken part of the window from taking the rest with it.
 */
import { Component, type ReactNode } from 'react';
import { useText } from '../i18n';
import { Banner } from './Banner';
import { Button } from './Button';
import { Disclosure } from './Disclosure';

type State = { error: Error | null };

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Failure
        error={error}
        onRetry={() => {
          this.setState({ error: null });
        }}
      />
    );
  }
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text = useText();
  return (
    <Banner
      kind="danger"
      actions={
        <>
          <Button onClick={onRetry}>{text('kit.tryAgain')}</Button>
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
        <code>{error.message}</code>
      </Disclosure>
    </Banner>
  );
}
