/** Returns the check digit that the Luhn algorithm gives for these digits. */
const checkDigit = (digits) => {
	const sum = [...digits].reverse().reduce((total, digit, index) => {
		const weighted = index % 2 === 0 ? digit * 2 : Number(digit);
		return total + (weighted > 9 ? weighted - 9 : weighted);
	}, 0);
	return String((10 - (sum % 10)) % 10);
};

/** Returns a row of a sheet of members. The AMKA is invented, and the first name of every tenth member differs from the registry. */
const member = (item) => {
	const digits = `150399${String(item % 10_000).padStart(4, '0')}`;
	return {
		ΑΜΚΑ: digits + checkDigit(digits),
		'Ημ. γέννησης': 36234,
		Επώνυμο: 'Δοκιμαστικού',
		Όνομα: item % 10 === 0 ? 'Άλλη' : 'Παράδειγμα',
		Πατρώνυμο: 'Υποθετικός',
		ΑΦΜ: '12345678',
		Κινητό: '+30 690 000 0001',
		Τμήμα: 'Φυσικής',
	};
};

/** A node that generates rows. Each row has a different phone number. Only the rows of members all have the same one. */
exports.BenchRows = class {
	description = {
		displayName: 'Bench Rows',
		name: 'benchRows',
		group: ['transform'],
		version: 1,
		description: 'Generates rows',
		defaults: { name: 'Rows' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1000 },
			{ displayName: 'From', name: 'from', type: 'number', default: 0 },
			{ displayName: 'Headings', name: 'headings', type: 'string', default: '' },
			{ displayName: 'Different Members', name: 'members', type: 'number', default: 0 },
		],
	};

	async execute() {
		const count = this.getNodeParameter('count', 0);
		const from = this.getNodeParameter('from', 0);
		const members = this.getNodeParameter('members', 0);
		const headings = this.getNodeParameter('headings', 0);
		const greek = (item) => ({ Κινητό: String(6_900_000_000 + from + item), Μάθημα: 'Φυσική', Βαθμός: item % 11 });
		const row = (item) => ({
			json: members > 0 ? member((from + item) % members) : headings === 'Greek' ? greek(item) : { recipient: String(6_900_000_000 + from + item), course: 'Φυσική', grade: String(item % 11) },
			pairedItem: { item: 0 },
		});
		return [Array.from({ length: count }, (_, item) => row(item))];
	}
};
