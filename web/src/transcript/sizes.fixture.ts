import { vi } from 'vitest'

const held: (() => void)[] = []
let isHeld = false
const tellAll = () => held.splice(0).forEach(tell => tell())

/** Everything has a size at once, as nothing has in jsdom: the list is high, and each row of it low. */
class Sizes {
  readonly #tell: ResizeObserverCallback
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell
  }
  observe(target: Element): void {
    const height = target.getAttribute('role') === 'log' ? 4000 : 20
    const entry = { target, contentRect: { width: 800, height } }
    held.push(() => this.#tell([entry as unknown as ResizeObserverEntry], this))
    queueMicrotask(() => isHeld || tellAll())
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Lets lists that show only what is in sight show something in a test. */
export function stubSizes(): void {
  isHeld = false
  vi.stubGlobal('ResizeObserver', Sizes)
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body)
}

/** Nothing has a size until the returned function is called, as in a tab that draws nothing yet. */
export function holdSizes(): () => void {
  isHeld = true
  return () => {
    isHeld = false
    tellAll()
  }
}
