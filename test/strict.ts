/**
 * Wraps an object so that reading a missing property throws an error. Symbols, `then` and the names in `mayLack` may be
 * missing.
 */
export function strict<T extends object>(name: string, has: T, mayLack: readonly string[] = []): T {
	return new Proxy(has, {
		get: (target, key, receiver) =>
			typeof key === 'symbol' || key in target || key === 'then' || mayLack.includes(key)
				? Reflect.get(target, key, receiver)
				: notProvided(`${name}.${key}`),
	});
}

export function notProvided(what: string): never {
	throw new Error(`n8n asked for ${what}, which the tests do not provide`);
}
