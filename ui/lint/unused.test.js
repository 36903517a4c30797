// @vitest-environment node
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const knip = path.resolve(import.meta.dirname, '../node_modules/knip/bin/knip.js');

test('an export that nobody uses fails', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'unused-'));
  try {
    await writeFile(path.join(folder, 'package.json'), '{ "name": "planted", "main": "main.js" }');
    await writeFile(path.join(folder, 'main.js'), "import { used } from './other.js';\nused();\n");
    await writeFile(
      path.join(folder, 'other.js'),
      'export const used = () => 1;\nexport const forgotten = () => 2;\n',
    );
    const run = promisify(execFile)(process.execPath, [knip], { cwd: folder });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/forgotten\s+other\.js/),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
