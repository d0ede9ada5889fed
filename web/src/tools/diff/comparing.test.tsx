// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { render, wait } from '../../composer/render.fixture.tsx'
import { compareLines } from './compare-lines.ts'
import type { CompareRequest } from './compare-lines.ts'
import { compareBeside, knownComparison } from './comparing.ts'
import { DiffView } from './diff-view.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

type Listener = (event: { readonly data: unknown }) => void

/** A fake worker that answers only when the test lets it. */
class FakeWorker {
  static started: FakeWorker[] = []
  readonly asked: CompareRequest[] = []
  readonly #listeners = new Map<string, Listener>()

  constructor() {
    FakeWorker.started.push(this)
  }

  addEventListener(type: string, listener: Listener) {
    this.#listeners.set(type, listener)
  }

  postMessage(request: CompareRequest) {
    this.asked.push(request)
  }

  terminate() {
    this.#listeners.clear()
  }

  emit(type: 'message' | 'error', data?: unknown) {
    this.#listeners.get(type)?.({ data })
  }

  answer() {
    for (const { id, from, to, first } of this.asked.splice(0))
      this.emit('message', { id, comparison: compareLines(from, to, first) })
  }
}

const allAsked = () => FakeWorker.started.flatMap(({ asked }) => asked)

function useFakeWorker() {
  vi.stubGlobal('Worker', FakeWorker)
  for (const each of FakeWorker.started) each.asked.length = 0
}

/** Two texts of 300 lines each that no other test compares. */
function largeTexts(name: string) {
  const lines = Array.from({ length: 300 }, (_, at) => `${name} ${at}`)
  return { from: lines.join('\n'), to: lines.with(150, `${name} changed`).join('\n'), first: null }
}

const callWith = (from: string, to: string) => ({
  tool: 'Edit',
  input: { file_path: '/w/a.ts', old_string: from, new_string: to },
  output: undefined,
  error: undefined,
  agent: 'claude-code',
  cwd: '/w',
})

describe('comparing texts', () => {
  it('[S12] runs at once for small edits, without the worker', () => {
    useFakeWorker()
    expect(knownComparison({ from: 'a\nb', to: 'a\nc', first: null })?.hunks.flat()).toHaveLength(3)
    const whole = 'line\n'.repeat(5000)
    expect(knownComparison({ from: '', to: whole, first: 1 })?.hunks.flat()).toHaveLength(5000)
    expect(allAsked()).toEqual([])
  })

  it('[S12] runs in the worker for large edits, and the result is kept', async () => {
    useFakeWorker()
    const texts = largeTexts('kept')
    expect(knownComparison(texts)).toBeUndefined()
    const compared = compareBeside(texts)
    await expect.poll(allAsked).toMatchObject([texts])
    FakeWorker.started.at(-1)?.answer()
    expect(await compared).toEqual(compareLines(texts.from, texts.to))
    expect(knownComparison(texts)).toBe(await compared)
    expect(await compareBeside(texts)).toBe(await compared)
    expect(allAsked()).toEqual([])
  })

  it('[S12] runs on the page when the worker fails, and the next edit starts a new worker', async () => {
    useFakeWorker()
    const texts = largeTexts('failing')
    const compared = compareBeside(texts)
    await expect.poll(allAsked).toHaveLength(1)
    const count = FakeWorker.started.length
    FakeWorker.started.at(-1)?.emit('error')
    expect(await compared).toEqual(compareLines(texts.from, texts.to))
    void compareBeside(largeTexts('after failing'))
    await expect.poll(() => FakeWorker.started.length).toBe(count + 1)
    FakeWorker.started.at(-1)?.emit('error')
  })

  it('[S12] runs on the page when the worker does not answer, cannot start or does not exist', async () => {
    useFakeWorker()
    const silent = largeTexts('silent')
    vi.useFakeTimers()
    const compared = compareBeside(silent)
    while (allAsked().length === 0) await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await compared).toEqual(compareLines(silent.from, silent.to))
    vi.stubGlobal('Worker', function refuse() {
      throw new Error('The policy of the page forbids this worker.')
    })
    const refused = largeTexts('refused')
    expect(await compareBeside(refused)).toEqual(compareLines(refused.from, refused.to))
    vi.stubGlobal('Worker', undefined)
    const none = largeTexts('none')
    expect(await compareBeside(none)).toEqual(compareLines(none.from, none.to))
  })

  it('[S12] runs once at a time for the same texts', async () => {
    useFakeWorker()
    const texts = largeTexts('shared')
    const both = [compareBeside(texts), compareBeside(texts)]
    await expect.poll(allAsked).toHaveLength(1)
    FakeWorker.started.at(-1)?.answer()
    const [one, other] = await Promise.all(both)
    expect(one).toBe(other)
    expect(allAsked()).toEqual([])
  })

  it('[S12] is canceled when its result is no longer needed: it leaves the queue, or its worker is stopped', async () => {
    useFakeWorker()
    const [running, needed, queued] = [largeTexts('running'), largeTexts('needed'), largeTexts('queued')]
    const [first, second] = [new AbortController(), new AbortController()]
    const cancelled = [compareBeside(running, first.signal), compareBeside(queued, second.signal)]
    const found = compareBeside(needed)
    await expect.poll(allAsked).toMatchObject([running])
    const worker = FakeWorker.started.at(-1)
    second.abort()
    first.abort()
    for (const each of cancelled) await expect(each).rejects.toThrow('aborted')
    await expect.poll(() => FakeWorker.started.at(-1)).not.toBe(worker)
    expect(FakeWorker.started.at(-1)?.asked).toMatchObject([needed])
    FakeWorker.started.at(-1)?.answer()
    expect(await found).toEqual(compareLines(needed.from, needed.to))
  })

  it('[S12] continues while one of two components still needs it', async () => {
    useFakeWorker()
    const texts = largeTexts('half')
    const gone = new AbortController()
    void compareBeside(texts, gone.signal)
    const found = compareBeside(texts)
    await expect.poll(allAsked).toHaveLength(1)
    gone.abort()
    FakeWorker.started.at(-1)?.answer()
    expect(await found).toEqual(compareLines(texts.from, texts.to))
  })
})

describe('a large edit', () => {
  it('[S12] shows that it is being compared, and then its lines', async () => {
    useFakeWorker()
    const { from, to } = largeTexts('shown')
    const { place } = await render(<DiffView call={callWith(from, to)} />)
    expect(place.textContent).toBe('a.tsComparing…')
    while (allAsked().length === 0) await wait(1)
    FakeWorker.started.at(-1)?.answer()
    while (place.textContent.includes('Comparing…')) await wait(1)
    expect([...place.querySelectorAll('del, ins')].map(each => each.textContent)).toEqual([
      'shown 150',
      'shown changed',
    ])
  })

  it('[S12] is shown at once when it was compared before, and so is a small one', async () => {
    const { from, to } = largeTexts('again')
    await compareBeside({ from, to, first: null })
    for (const call of [callWith(from, to), callWith('again 150', 'again changed')]) {
      const { place, unmount } = await render(<DiffView call={call} />)
      expect(place.querySelectorAll('del, ins')).toHaveLength(2)
      expect(place.textContent).not.toContain('Comparing…')
      await unmount()
    }
  })
})
