import { compile } from '../../../src/context/compile.ts'
import type { History } from '../../../src/context/history.ts'
import type { Manifest } from '../../../src/context/manifest.ts'
import type { Policy as Profile } from '../../../src/context/policy.ts'
import { profiles } from '../../../src/context/profiles.ts'
import type { Target } from '../../../src/context/target.ts'
import { fixedPrefix } from '../counting.ts'
import type { Policy } from '../policy.ts'
import { createManaged } from './managed.ts'
import { createShowing } from './showing.ts'

const contextWindow = 200_000

/** One of our own policies, through the very compiler, strategies and ledger that the product uses. */
export const productPolicy = (profile: Profile, thinking: Target['thinking']): Policy => ({
  name: profile.name,
  isOurs: true,
  start(segment, cacheSeconds, witness) {
    const managed = createManaged(segment)
    const showing = createShowing(segment)
    const policy = { ...profile, cacheSeconds }
    const last = segment.requests.at(-1)
    let manifest: Manifest | null = null
    return request => {
      const { step, at } = request
      const boundary = manifest === null
      const isCold = manifest === null || at - manifest.at > cacheSeconds * 1000
      const target = { step, at, window: contextWindow, fixedTokens: fixedPrefix, thinking, boundary }
      const history = managed.before(request, isCold)
      const begin = performance.now()
      const compiled = compile(history, target, policy, manifest)
      const milliseconds = performance.now() - begin
      manifest = compiled.manifest
      managed.record(history, manifest)
      const shown = showing(compiled.conversation, manifest)
      const isRestored = request !== last || isSame(managed.rollBackAll(history), target, policy, manifest)
      witness({ conversation: compiled.conversation, milliseconds, isRestored })
      return shown
    }
  },
})

/** Whether a history in which everything was rolled back is sent as if nothing had ever been done, byte for byte. */
function isSame(history: History, target: Target, policy: Profile, manifest: Manifest): boolean {
  // Under a policy that changes nothing by itself: in a full window the next batch would be due at once. And for a model
  // with free thinking: one with bound thinking gets none that followed other parts.
  const [quiet, free] = [{ ...profiles.off, name: policy.name }, { ...target, thinking: 'free' } as const]
  const restored = compile(history, free, quiet, manifest).conversation
  const untouched = compile(history, free, profiles.off, null).conversation
  return JSON.stringify(restored) === JSON.stringify(untouched)
}
