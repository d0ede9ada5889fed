import { useMemo, type ReactElement } from 'react'
import type { Json } from 'dragoman'
import { JsonTree } from '../ui/json-tree.tsx'
import { jsonIn } from './cut-text.ts'
import type { Form } from './use-inspection.ts'
import { LongText } from './long-text.tsx'

/** A line that is usually JSON, in the chosen format; other lines are shown unchanged. */
export function JsonWords({ text, form }: { readonly text: string; readonly form: Form }): ReactElement {
  const json = useMemo(() => (form === 'exact' ? undefined : jsonIn(text)), [text, form])
  if (json === undefined) return <LongText text={text} />
  if (form === 'tree' && typeof json === 'object') return <JsonTree value={json as Json} open={4} />
  return <LongText text={JSON.stringify(json, null, 2)} />
}
