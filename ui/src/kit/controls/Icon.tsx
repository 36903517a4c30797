/**
 * Skein's icons: 16 by 16, one stroke of 1.5, in the colour of the text. An icon is decoration: the control
 * around it has the name.
 */
import './Icon.css';

const paths = {
  add: 'M8 3v10M3 8h10',
  archive: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3',
  attach:
    'M13 7.5 8 12.5a3 3 0 0 1-4.3-4.3l5.4-5.3a2 2 0 0 1 2.8 2.8L6.6 11a1 1 0 0 1-1.4-1.4l4.6-4.6',
  book: 'M8 4C6.5 3 4.5 2.8 2.5 3v9.5C4.5 12.3 6.5 12.5 8 13.5c1.5-1 3.5-1.2 5.5-1V3C11.5 2.8 9.5 3 8 4zM8 4v9.5',
  chat: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  'chevron-down': 'm4 6 4 4 4-4',
  'chevron-left': 'm10 4-4 4 4 4',
  'chevron-right': 'm6 4 4 4-4 4',
  'chevron-up': 'm4 10 4-4 4 4',
  close: 'm4 4 8 8M12 4l-8 8',
  compare: 'M2.5 3h4.5v10H2.5zM9 3h4.5v10H9z',
  compress: 'M3 3h10M3 13h10M8 5v2.5M6.5 6 8 7.5 9.5 6M8 11V8.5M6.5 10 8 8.5 9.5 10',
  copy: 'M5.5 5.5h7.5v8H5.5zM3 10.5V2.5h7.5',
  download: 'M8 2.5v7.5M4.5 7 8 10.5 11.5 7M3 13.5h10',
  edit: 'M10.5 3.2 12.8 5.5 6 12.3l-3 .7.7-3zM9 4.7 11.3 7',
  error: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM6 6l4 4M10 6l-4 4',
  external: 'M9.5 3H13v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  eye: 'M1.8 8C3.2 5.3 5.4 4 8 4s4.8 1.3 6.2 4c-1.4 2.7-3.6 4-6.2 4s-4.8-1.3-6.2-4zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  'eye-off':
    'M1.8 8C3.2 5.3 5.4 4 8 4s4.8 1.3 6.2 4c-1.4 2.7-3.6 4-6.2 4s-4.8-1.3-6.2-4zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM3 13.5l10-11',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  folder: 'M2.5 4h4l1.5 1.5h5.5v7h-11z',
  fork: 'M4.5 2.5v11M4.5 9.5c4 0 6-1.5 6-5M8.5 6l2-2.5 2 2.5',
  image: 'M2.5 3h11v10h-11zM2.5 11l3-3 2.5 2.5 2-2 3.5 3.5M6 6.2h.01',
  info: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 7.5V11M8 5.2v.01',
  menu: 'M3 4.5h10M3 8h10M3 11.5h10',
  model:
    'M5 5h6v6H5zM6.5 2.5V5M9.5 2.5V5M6.5 11v2.5M9.5 11v2.5M2.5 6.5H5M2.5 9.5H5M11 6.5h2.5M11 9.5h2.5',
  more: 'M4 8h.01M8 8h.01M12 8h.01',
  note: 'M3 2.5h10v7.5L9.5 13.5H3zM9.5 13.5V10H13M5.5 5.5h5M5.5 8h3',
  pin: 'M6 2.5h4M6.5 2.5v4L4.5 9h7L9.5 6.5v-4M8 9v4.5',
  play: 'M5 3.5v9l7-4.5z',
  redo: 'M12.5 6.5H6.5a3.5 3.5 0 0 0 0 7H9M12.5 6.5l-3-3M12.5 6.5l-3 3',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.8v3h-3',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2',
  send: 'M8 13V3M3.8 7.2 8 3l4.2 4.2',
  settings:
    'M2.5 4.5h5M10.5 4.5h3M9 3a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM2.5 11.5h2M7.5 11.5h6M6 10a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
  sidebar: 'M2.5 3h11v10h-11zM6.5 3v10',
  stop: 'M4.5 4.5h7v7h-7z',
  thinking: 'M6 11.5V10a4 4 0 1 1 4 0v1.5zM6.5 13.5h3',
  tool: 'M13 5.2a3 3 0 0 1-4 3.6l-4.3 4.4a1.3 1.3 0 0 1-1.9-1.9L7.2 7a3 3 0 0 1 3.6-4L9 4.8 11.2 7z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4',
  undo: 'M3.5 6.5h6a3.5 3.5 0 0 1 0 7H7M3.5 6.5l3-3M3.5 6.5l3 3',
  upload: 'M8 10.5V3M4.5 6 8 2.5 11.5 6M3 13.5h10',
  warning: 'M8 2.5 14 13H2zM8 6.5V9.5M8 11.3v.01',
  wrap: 'M2.5 4h11M2.5 8h8.5a2 2 0 0 1 0 4H8M9.5 10.5 8 12l1.5 1.5M2.5 12h3',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="Icon" viewBox="0 0 16 16" aria-hidden="true" data-icon={name}>
      <path d={paths[name]} />
    </svg>
  );
}

export const iconNames = Object.keys(paths) as IconName[];
