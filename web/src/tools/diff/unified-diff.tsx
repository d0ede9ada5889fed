import { useMemo, type ReactElement } from 'react'
import { DiffFiles } from './diff-view.tsx'
import { readUnified } from './read-unified.ts'

/** A unified diff, file by file. */
export function UnifiedDiff({ text }: { readonly text: string }): ReactElement {
  const files = useMemo(() => readUnified(text), [text])
  return <DiffFiles files={files} />
}
