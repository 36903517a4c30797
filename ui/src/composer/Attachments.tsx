/**
 * What goes with the message: its name, its size, and the way to take it out again.
 */
import { useFormats, useText } from '../i18n';
import type { ContentPart } from '../ipc/bindings';
import { Icon } from '../kit/Icon';
import { IconButton } from '../kit/IconButton';

type AttachmentsProps = { parts: readonly ContentPart[]; onRemove: (at: number) => void };

export function Attachments({ parts, onRemove }: AttachmentsProps) {
  const text = useText();
  const formats = useFormats();
  if (parts.length === 0) return null;
  return (
    <ul className="Composer-files" aria-label={text('composer.attachments')}>
      {parts.map((part, at) =>
        part.type === 'image' || part.type === 'file' ? (
          <li key={at}>
            <Icon name={part.type} />
            <span className="Composer-fileName">{part.name}</span>
            <small>{formats.size(part.bytes)}</small>
            <IconButton
              label={text('composer.remove')}
              icon="close"
              onClick={() => {
                onRemove(at);
              }}
            />
          </li>
        ) : null,
      )}
    </ul>
  );
}
