import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/*
 * Reads single values of an item. In a data table a missing value is null, and in a sheet it is an empty text. A table whose
 * columns are text contains 'true' for true and '2' for 2. A value of an unexpected type counts as missing.
 */

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns a text or a number as text, without white space around it. */
export function toText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value.trim() : '';
	return text === '' ? undefined : text;
}

export function toNumber(value: unknown): number | undefined {
	const number = Number(toText(value) ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}

const FLAGS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));

export const toFlag = (value: unknown): boolean | undefined =>
	typeof value === 'boolean' ? value : FLAGS.get(toText(value)?.toLowerCase() ?? '');

/** Matches a time without a time zone. A data table returns such times, and they are in UTC. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/** Returns a time in milliseconds since 1970. */
export function toTime(value: unknown): number | undefined {
	const written = typeof value === 'string' && !isBlank(value) ? value.replace(WITHOUT_ZONE, '$1T$2Z') : value;
	const isReadable = typeof written === 'string' || typeof written === 'number' || written instanceof Date;
	const time = isReadable ? new Date(written).getTime() : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Returns a time in milliseconds since 1970 as ISO text. */
export const toIso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** Returns the value if it is an object. Otherwise returns an empty object. */
export const toRecord = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};

/**
 * Makes the schema of an item.
 * @param fields for each field the function that reads it and returns undefined if the value is missing. All functions are called
 * in one transform, because zod is about seven times slower with a transform for each field
 */
export function itemSchema<F extends Fields>(fields: F) {
	const readers = Object.entries(fields);
	const shape = Object.fromEntries(readers.map(([name]) => [name, z.unknown()]));
	return z.object(shape).transform((item) => {
		const values: Record<string, unknown> = {};
		for (const [name, read] of readers) values[name] = read(item[name]);
		return values as { [Name in keyof F]: ReturnType<F[Name]> };
	});
}

type Fields = Record<string, (value: unknown) => unknown>;

/** Reads a field of any type. Its value stays unchanged. */
export const asItIs = (value: unknown) => value;
