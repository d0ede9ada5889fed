import type { Catalogue } from './catalogue.ts'
import { context } from './suite/context.ts'
import { messages } from './suite/messages.ts'
import { saving } from './suite/saving.ts'
import { sessions } from './suite/sessions.ts'
import { createStories } from './suite/stories.ts'
import { usageDetails } from './suite/usage-details.ts'
import { usage } from './suite/usage.ts'
import { work } from './suite/work.ts'

/** Opens an empty catalogue. It is disposed of after the test, where it can be. */
export type OpenCatalogue = () => Promise<Catalogue & Partial<AsyncDisposable>>

/** The test runner: Vitest, `node:test` or another one that has these two. */
interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** Checks that a catalogue keeps its contract: how it saves, lists, pages, finds, sums and forgets. */
export function testCatalogue({ describe, it }: TestRunner, name: string, open: OpenCatalogue): void {
  describe(`${name} catalogue`, () => {
    const tests = { ...saving, ...sessions, ...messages, ...work, ...context, ...usage, ...usageDetails }
    for (const [rule, test] of Object.entries(tests))
      it(rule, async () => {
        const catalogue = await open()
        try {
          await test(catalogue, createStories(catalogue))
        } finally {
          await catalogue[Symbol.asyncDispose]?.()
        }
      })
  })
}
