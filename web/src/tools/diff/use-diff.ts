import { use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ShownCall } from '../sections/shown-call.ts'
import type { Comparison, Texts } from './compare-lines.ts'
import { ComparingContext } from './comparing-context.ts'
import { compareBeside, isLarge, knownComparison } from './comparing.ts'
import { diffOf } from './diff-of.ts'
import type { FileDiff } from './file-diff.ts'

/** The changes of a call. A file with a large edit is marked as comparing until the worker is done. */
export function useDiff(call: ShownCall): readonly FileDiff[] {
  const [found, setFound] = useState<readonly Found[]>([])
  const { files, large } = useMemo(() => diffSoFar(call, found), [call, found])
  const isWaiting = files.some(({ comparing }) => comparing)
  useEffect(() => {
    if (!isWaiting) return
    const controller = new AbortController()
    const { signal } = controller
    // All of them, so that a call with more files than the cache holds still finishes.
    const all = large.map(async texts => ({ texts, comparison: await compareBeside(texts, signal) }))
    const show = (each: readonly Found[]) => signal.aborted || setFound(each)
    Promise.all(all).then(show, (error: unknown) => {
      // The comparison was cancelled because no component needs it.
      if (!signal.aborted) throw error
    })
    return () => controller.abort()
  }, [isWaiting, large])
  const report = use(ComparingContext)
  useLayoutEffect(() => {
    if (!isWaiting) return
    report(1)
    return () => report(-1)
  }, [isWaiting, report])
  return files
}

interface Found {
  readonly texts: Texts
  readonly comparison: Comparison
}

function diffSoFar(call: ShownCall, found: readonly Found[]) {
  const large: Texts[] = []
  const files = diffOf(call, texts => {
    if (isLarge(texts)) large.push(texts)
    return knownComparison(texts) ?? found.find(each => isSame(each.texts, texts))?.comparison
  })
  return { files, large }
}

const isSame = (a: Texts, b: Texts) => a.from === b.from && a.to === b.to && a.first === b.first
