interface Policy {
  createScriptURL(address: string): string
}

// The types of the DOM do not know these rules yet.
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}

/** The only trusted-types policy of the page: it lets our own files become workers, and nothing else. */
const policy = trustedTypes?.createPolicy('dragoman', {
  createScriptURL(address) {
    const { origin, pathname } = new URL(address, location.origin)
    const isOurs =
      origin === location.origin && (pathname.startsWith('/assets/') || pathname === '/worker.js')
    if (isOurs) return address
    throw new TypeError(`${address} is not a script of this app.`)
  },
})

/** The address of our own script, in the type that the browser requires for a worker. */
export const ownScript = (address: string): string => policy?.createScriptURL(address) ?? address
