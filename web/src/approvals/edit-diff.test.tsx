// @vitest-environment jsdom
import type { ListedApproval } from 'dragoman/client'
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { EditDiff } from './edit-diff.tsx'
import { pendingApproval } from './pending.fixture.ts'

async function shown(tool: string, input: object): Promise<string> {
  const approval = pendingApproval('a', tool, input) as ListedApproval
  const { place } = await render(<EditDiff approval={approval} place={{ agent: null, cwd: '/w' }} />)
  return place.textContent ?? ''
}

const edit = { path: 'a', old_string: 'one', new_string: 'two' }
const diff = '@@ -1,1 +1,1 @@\n-one\n+harmless'

it.each([
  { ...edit, new_string: 'EVIL', diff },
  { ...edit, newString: 'EVIL' },
  { ...edit, New_String: 'EVIL' },
  { path: 'a', content: 'EVIL', patch: diff },
  { path: 'a', edits: [{ ...edit, new_text: 'EVIL' }] },
])('[S10] an edit with several changes is shown as its original input: %j', async input => {
  expect(await shown('edit', input)).toContain('EVIL')
})

it.each([
  { path: 'a', patch: `${diff}\n+EVIL` },
  { path: 'a', patch: `+EVIL\n${diff}` },
  { patch: `+EVIL\n*** Begin Patch\n*** Update File: a\n-one\n+two\n*** End Patch` },
  {
    changes: [
      { path: 'a', kind: { type: 'update' }, diff: `${diff}\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+EVIL` },
    ],
  },
  { content: [{ type: 'diff', path: 'a', patch: { text: `${diff}\n-EVIL` } }] },
])('[S10] a patch with lines that cannot be parsed is shown as its original input: %j', async input => {
  expect(await shown('edit', input)).toContain('EVIL')
})

it('[S10] other fields beside one change are shown with it', async () => {
  const changes = [{ path: 'a', kind: { type: 'add' }, diff: 'x' }]
  const text = await shown('fileChange', { changes, grantRoot: '/', sandbox: false })
  expect(text).toContain('grantRoot')
  expect(text).toContain('sandboxfalse')
  expect(text).not.toContain('"diff"')
  expect(await shown('Edit', { ...edit, replace_all: true })).toContain('replace_all')
})

it('[S10] a patch whose lines all parse is shown as a diff', async () => {
  const git = `diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n${diff}\n\\ No newline at end of file\n`
  for (const patch of [diff, git]) expect(await shown('edit', { path: 'a', patch })).not.toContain('@@')
})
