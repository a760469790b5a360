import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/*
 * Decides what a single value of an item means. A data table has null and a sheet an empty text where there is nothing,
 * and a table of texts has 'true' for true and '2' for 2. A value of another type counts as nothing.
 */

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns a text or a number as text, without white space around it. */
export const toText = (value: unknown): string | undefined =>
	(typeof value === 'string' && !isBlank(value)) || typeof value === 'number' ? String(value).trim() : undefined;

export function toNumber(value: unknown): number | undefined {
	const number = Number(toText(value) ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}

const FLAGS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));

export const toFlag = (value: unknown): boolean | undefined =>
	typeof value === 'boolean' ? value : FLAGS.get(toText(value)?.toLowerCase() ?? '');

/** A data table returns times without a zone; they are in UTC. */
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

/** Returns an object as it is, and an empty one for anything else. */
export const toRecord = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};

/* The kinds of fields from which the schemas of items are built. Each is undefined if the item has no such value. */

export const text = z.unknown().transform(toText);
export const number = z.unknown().transform(toNumber);
export const flag = z.unknown().transform(toFlag);
export const time = z.unknown().transform(toTime);
