/**
 * Copies, and says that it did: a tick for a moment, and a word to those who listen.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { useAnnounce } from './LiveRegion';
import { Button } from '../controls/Button';
import { IconButton } from '../controls/IconButton';
import { useToast } from './Toast';

/** How long the tick stands, in ms. */
const tickMs = 2_000;

type CopyButtonProps = {
  label: string;
  /** The label is written on the button; else it is read aloud and shown as a tooltip. */
  worded?: boolean;
  /** Puts it on the clipboard. */
  copy: () => Promise<unknown>;
};

export function CopyButton({ label, worded = false, copy }: CopyButtonProps) {
  const text = useText();
  const announce = useAnnounce();
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, tickMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);

  const press = () => {
    copy().then(
      () => {
        setCopied(true);
        announce(text('kit.copied'));
      },
      () => {
        toast({ words: text('kit.notCopied'), failed: true });
      },
    );
  };
  const icon = copied ? 'check' : 'copy';
  return worded ? (
    <Button icon={icon} onClick={press}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} icon={icon} onClick={press} />
  );
}
