import type { ReactVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { MessageId, TranscriptItem } from '../../ipc/bindings';
import type { TranscriptRowProps } from '../state/transcriptRowProps';
import { continuesToolChain } from './toolChain';
import { TranscriptRow } from './TranscriptRow';

type TranscriptRowsProps = Omit<TranscriptRowProps, 'item' | 'last' | 'editing'> & {
  ref: RefObject<HTMLDivElement | null>;
  rows: ReactVirtualizer<HTMLDivElement, Element>;
  items: readonly TranscriptItem[];
  /** The message that is tinted because the user went to it. */
  targetMessage: MessageId | undefined;
  /** The index of the last message; -1: it is not loaded. */
  lastIndex: number;
  /** null: no message is edited. */
  editing: MessageId | null;
};

/** The rows of the virtual list that are in the page. */
export function TranscriptRows(props: TranscriptRowsProps) {
  const { ref, rows, items, targetMessage, lastIndex, editing, ...row } = props;
  return (
    <div ref={ref} className="Transcript-rows" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        return (
          item && (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              data-message={item.message.id}
              data-chained={continuesToolChain(item, items[index + 1]) || undefined}
              data-spot={item.message.id === targetMessage || undefined}
              className="Transcript-row"
              // A transform would leave sticky elements of a row at their old place in WebKitGTK.
              style={{ top: start }}
            >
              <TranscriptRow
                {...row}
                item={item}
                last={index === lastIndex}
                editing={item.message.id === editing}
              />
            </div>
          )
        );
      })}
    </div>
  );
}
