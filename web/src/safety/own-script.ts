interface Policy {
  createScriptURL(address: string): string
}

// The types of the DOM do not know these rules yet.
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}

/** The one policy that the page's rules allow: it lets our own files become workers, and nothing else become anything. */
const policy = trustedTypes?.createPolicy('dragoman', {
  createScriptURL(address) {
    const { origin, pathname } = new URL(address, location.origin)
    const isOurs =
      origin === location.origin && (pathname.startsWith('/assets/') || pathname === '/worker.js')
    if (isOurs) return address
    throw new TypeError(`${address} is not a script of this app.`)
  },
})

/** The address of a script of ours, as the browser wants it for a worker. */
export const ownScript = (address: string): string => policy?.createScriptURL(address) ?? address
