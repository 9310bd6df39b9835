/**
 * Expressions of consent, thanks and greeting, separated by "|". On its own, each is meaningless without what it
 * replies to.
 */
export const COURTESIES: readonly string[] = [
  "ok|okay|okey|k|kk|yes|yep|yeah|yup|ya|no|nope|nah|sure|sure thing|of course|certainly|absolutely|exactly|right|alright|all right|please|no problem|np|no worries|never mind|will do|on it|understood|noted|agreed|makes sense|i see|got it|gotcha|roger|done|great|good|very good|nice|cool|fine|perfect|awesome|excellent|amazing|wonderful|lovely|super|sounds good|looks good|looks good to me|lgtm|go ahead|go on|continue|next",
  "thanks|thank you|thank you so much|thank you very much|thanks a lot|thanks so much|many thanks|thx|ty|cheers|much appreciated|you are welcome|you're welcome|welcome|my pleasure|sorry|excuse me|pardon",
  "hi|hello|hey|hiya|howdy|hi there|hello there|hey there|good afternoon|good evening|good night|good day|morning|bye|goodbye|see you|see you later|see you soon|take care|have a nice day|how are you|what's up",
  "lol|haha|hahaha|hehe|hm|hmm|hmmm|mhm|uh|um|uhm|er|oh|ah|aha|wow|oops|ouch|yay|well|so|and",
  "ja|nein|danke|vielen dank|danke schön|bitte|gut|genau|klar|alles klar|hallo|guten morgen|guten tag|guten abend|tschüss",
  "oui|non|merci|merci beaucoup|d'accord|bien|très bien|bonjour|bonsoir|salut|au revoir",
  "sí|si|gracias|muchas gracias|vale|bueno|de acuerdo|hola|buenos días|buenas tardes|adiós",
  "sì|grazie|grazie mille|va bene|ciao|buongiorno|sim|não|obrigado|obrigada|tudo bem|olá|oi|bom dia",
  "да|нет|спасибо|хорошо|ладно|понятно|ок|привет|здравствуйте|пока|tak|nie|dziękuję|dzięki|cześć|evet|hayır|tamam|teşekkürler|merhaba",
  "好|好的|是|是的|不|不是|对|嗯|谢谢|謝謝|你好|早上好|再见|はい|いいえ|ありがとう|ありがとうございます|了解|了解です|こんにちは|おはよう|おはようございます|네|아니요|감사합니다|고마워|안녕하세요|알겠습니다",
  "نعم|لا|شكرا|حسنا|مرحبا|כן|לא|תודה|בסדר|שלום|हाँ|नहीं|धन्यवाद|शुक्रिया|ठीक है|नमस्ते|ใช่|ไม่|ขอบคุณ|สวัสดี|ναι|όχι|ευχαριστώ|γεια",
];
