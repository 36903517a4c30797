/**
 * The licences of all libraries: crates from `cargo xtask licences`, npm packages from the lock file.
 * Loaded on demand.
 */
import { packages } from 'virtual:packages';
import crates from './crates.json';
import './Licences.css';

const parts = [...crates, ...packages].map(([name = '', version, licence = '']) => ({
  licence,
  words: `${name} ${version ?? ''}`,
}));
const groups = [...new Set(parts.map(({ licence }) => licence))]
  .map((licence) => ({
    licence,
    words: parts
      .filter((part) => part.licence === licence)
      .map(({ words }) => words)
      .sort(),
  }))
  .sort((one, other) => other.words.length - one.words.length);

export default function Licences() {
  return (
    <dl className="Licences">
      {groups.map(({ licence, words }) => (
        <div key={licence}>
          <dt>{licence}</dt>
          <dd>
            <ul>
              {words.map((part) => (
                <li key={part}>{part}</li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
