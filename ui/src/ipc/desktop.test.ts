import { expect, it, vi } from 'vitest';
import { desktop } from './desktop';

const save = vi.hoisted(() => vi.fn(() => Promise.resolve(null)));
vi.mock('@tauri-apps/plugin-dialog', () => ({ save, open: vi.fn() }));

it.each([
  ['notes.md', 'notes.md'],
  ['../../.bashrc', 'bashrc'],
  ['/home/ada/.ssh/authorized_keys', 'authorized_keys'],
  ['C:\\Users\\ada\\run.bat', 'run.bat'],
  ['C:run.bat', 'Crun.bat'],
  ['.profile', 'profile'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['a\u0000\n?*.txt', 'a.txt'],
  ['织布.tar.gz', '织布.tar.gz'],
  ['CON.md', '_CON.md'],
  ['nul', '_nul'],
  ['com1.tar.gz', '_com1.tar.gz'],
  ['LPT¹ .txt', '_LPT¹ .txt'],
  ['CONOUT$', '_CONOUT$'],
  ['conin$.txt', '_conin$.txt'],
  ['console.md', 'console.md'],
  ['warp and weft. .', 'warp and weft'],
  ['..', 'file'],
  ['loom/', 'file'],
])('proposes for %j a name and never a path', async (name, proposed) => {
  await desktop.pickTarget('Save', name, []);
  expect(save).toHaveBeenLastCalledWith({ title: 'Save', defaultPath: proposed, filters: [] });
});
