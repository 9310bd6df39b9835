import type { Language } from "../language.ts";

export const it: Language = {
  code: "it",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Giulia;Lorenzo;Francesca;Davide;Silvia;Riccardo;Alessia;Stefano;Ilaria;Gabriele;Paola;Federico",
    when: "giovedì;nel fine settimana;domani;stasera;la settimana prossima;a mezzogiorno;dopo pranzo;di sera;questo pomeriggio;in aprile;in novembre;il primo del mese;alle sette;alle nove e mezza",
    deeds: [
      "scrive;legge;controlla;spedisce;firma|la lettera;il contratto;la fattura;la relazione;il modulo d'ordine;la lista degli invitati;il comunicato stampa",
      "vende;ripara;pulisce;compra;fotografa|la bicicletta;il vecchio divano;la lampada;la barca di legno;l'orologio a muro;la libreria;il tavolo della cucina",
      "incontra;chiama;intervista|l'architetto;la sindaca;il giardiniere;la giornalista;il fotografo;il sarto;l'apicoltore",
      "prova;migliora;spiega|il carrello degli acquisti;il grafico;il modello di stampa;la pagina iniziale;la galleria di immagini;il modulo di contatto",
    ],
  },
  facts: `
    1 Marta è allergica alle arachidi e porta sempre con sé una penna di adrenalina. => A che cosa è allergica Marta? => Che cosa non deve esserci nel cibo quando cuciniamo per Marta?
    2 L'utente vuole risposte brevi, senza elenchi puntati. => Che tipo di risposte vuole l'utente? => Quanto devono essere lunghi i messaggi per lui, e in quale forma?
    3 Jonas beve il caffè nero, senza zucchero. => Come beve il caffè Jonas? => Jonas mette il latte nelle bevande calde?
    4 Nell'editor l'utente preferisce un tema scuro con caratteri grandi. => Quale tema preferisce l'utente nell'editor? => Che aspetto deve avere l'ambiente di sviluppo?
    5 Nostra figlia adora i dinosauri più di ogni altra cosa. => Che cosa adora di più nostra figlia? => Quale regalo farebbe felice la nostra bambina?
    6 Ines è vegetariana da dieci anni. => Da quando Ines è vegetariana? => Ines mangia la carne?
    7 In aereo l'utente prenota sempre un posto al finestrino. => Quale posto prenota l'utente in aereo? => Dove gli piace sedersi, all'utente, durante un volo?
    8 Mia madre ascolta solo musica classica, soprattutto Bach. => Che genere di musica ascolta mia madre? => Quali biglietti per un concerto piacerebbero alla mamma?
    9 Tomas guida il team dei pagamenti da marzo. => Chi guida il team dei pagamenti? => Chi è il responsabile di chi lavora alla fatturazione?
    10 Il compleanno di Priya è il 14 ottobre. => Quando è il compleanno di Priya? => In quale giorno dobbiamo fare gli auguri a Priya?
    11 Il mio vicino, il signor Keller, è un falegname in pensione. => Qual era il mestiere del mio vicino, il signor Keller? => Che lavoro faceva l'uomo della porta accanto?
    12 Il nostro commercialista è raggiungibile al telefono solo il martedì mattina. => Quando è raggiungibile al telefono il nostro commercialista? => Quando posso chiamare chi si occupa delle nostre tasse?
    13 Sofia parla correntemente il portoghese e l'olandese. => Quali lingue parla Sofia? => Chi potrebbe tradurci una lettera da Lisbona?
    14 La nuova tirocinante comincia il 1º settembre. => Quando comincia la nuova tirocinante? => Quando arriva da noi l'apprendista?
    15 Il nostro padrone di casa vive all'estero e risponde solo via e-mail. => Dove vive il nostro padrone di casa? => Come mi metto in contatto con il proprietario dell'appartamento?
    16 Mio fratello si è trasferito a Oslo l'estate scorsa. => Dove si è trasferito mio fratello? => In quale città abita adesso mio fratello?
    17 L'app mobile deve essere pronta prima della fiera di maggio. => Quando deve essere pronta l'app mobile? => Entro quando dobbiamo consegnare l'applicazione per smartphone?
    18 Il cliente ha respinto il nostro primo progetto grafico perché era troppo colorato. => Perché il cliente ha respinto il nostro primo progetto grafico? => Perché al committente non è piaciuta la bozza iniziale?
    19 Il budget per il nuovo magazzino è di 80.000 euro. => A quanto ammonta il budget per il nuovo magazzino? => Quanti soldi possiamo spendere per il deposito?
    20 La traduzione del manuale è in ritardo di due settimane. => Quanto è in ritardo la traduzione del manuale? => Quanto stanno tardando le guide per l'utente nelle altre lingue?
    21 Il progetto pilota in ospedale è finito in anticipo perché le infermiere si lamentavano degli schermi lenti. => Perché il progetto pilota in ospedale è finito in anticipo? => Perché è stata interrotta la sperimentazione nella clinica?
    22 Il nome in codice della riscrittura della ricerca è Heron. => Qual è il nome in codice della riscrittura della ricerca? => Come chiamiamo internamente il nuovo motore di ricerca?
    23 Una nuova versione esce il primo lunedì di ogni mese. => Quando esce una nuova versione? => Con che frequenza vengono pubblicati i rilasci?
    24 Il widget del meteo diventerà open source con licenza MIT. => Con quale licenza uscirà il widget del meteo? => A quali condizioni legali cediamo il codice del componente delle previsioni?
    25 Nell'ambiente di staging Postgres ascolta sulla porta 5433. => Quale porta usa Postgres nell'ambiente di staging? => Come mi collego al database di prova?
    26 I backup girano ogni notte alle tre e vengono conservati per trenta giorni. => Per quanto tempo vengono conservati i backup? => Per quanto tempo si possono recuperare i dati persi?
    27 Gli allarmi arrivano nel canale #on-call, non per posta. => Dove arrivano gli allarmi? => Dove compaiono gli avvisi di un disservizio?
    28 Ogni chiave API può fare cento richieste al minuto. => Quante richieste al minuto può fare una chiave API? => Quante volte un client può chiamare la nostra interfaccia prima di essere limitato?
    29 Le immagini caricate non possono superare i 10 megabyte. => Quanto possono essere grandi le immagini caricate? => Quanto può essere grande il file di una foto?
    30 I server di produzione si trovano a Francoforte. => Dove si trovano i server di produzione? => Dov'è ospitato il nostro sistema reale?
    31 Le password vanno nella cassaforte digitale, mai nei file di ambiente. => Dove vanno le password? => Dove bisogna custodire i segreti?
    32 Il certificato del sito scade il 30 novembre. => Quando scade il certificato del sito? => Entro quando dobbiamo rinnovare TLS?
    33 Una sessione termina dopo quindici minuti di inattività. => Dopo quanti minuti di inattività termina una sessione? => Quando viene disconnesso automaticamente un utente che non fa nulla?
    34 Abbiamo preferito Kafka a RabbitMQ perché i messaggi devono poter essere riprodotti di nuovo. => Perché abbiamo scelto Kafka? => Quale broker di messaggistica abbiamo scelto, e per quale motivo?
    35 Il team ha deciso di abbandonare il supporto a Internet Explorer. => Quale browser non è più supportato dal team? => Di quale browser non ci occupiamo più?
    36 A gennaio i prezzi aumentano del cinque per cento. => Di quanto aumentano i prezzi a gennaio? => Quanto pagheranno in più i clienti l'anno prossimo?
    37 Prima dell'estate non assumiamo nessuno. => Quando assumeremo di nuovo qualcuno? => Ci sono posizioni aperte in questo momento?
    38 Tutte le date sono memorizzate in UTC. => In quale fuso orario sono memorizzate le date? => Quale fuso orario usiamo per salvare i timestamp?
    39 L'ufficio resta chiuso tra Natale e Capodanno. => Quando è chiuso l'ufficio? => C'è qualcuno al lavoro nell'ultima settimana di dicembre?
    40 Ogni modifica richiede l'approvazione di due revisori. => Quanti revisori devono approvare una modifica? => Quante persone devono guardare una pull request prima del merge?
    41 La pianificazione settimanale è stata spostata da lunedì a mercoledì alle dieci. => Quando si tiene la pianificazione settimanale? => Quando ci troviamo per organizzare la settimana?
    42 Alla riunione del consiglio Nadia ha presentato i dati di vendita. => Chi ha presentato i dati di vendita alla riunione del consiglio? => Chi ha parlato del fatturato davanti ai dirigenti?
    43 La chiamata con il fornitore è stata annullata a causa dello sciopero. => Perché è stata annullata la chiamata con il fornitore? => Perché non abbiamo sentito chi ci rifornisce?
    44 Dalla retrospettiva è emerso che i test durano troppo. => Che cosa è emerso dalla retrospettiva? => Che cosa dava più fastidio agli sviluppatori ripensando allo sprint?
    45 Lo script di importazione va in crash se una riga contiene un punto e virgola. => Quando va in crash lo script di importazione? => Quale carattere fa fallire il caricamento dei dati?
    46 Il nostro treno per Vienna parte alle 7:42 dal binario 9. => A che ora parte il nostro treno per Vienna? => A che ora ci mettiamo in viaggio per l'Austria?
    47 A Kyoto abbiamo alloggiato in una piccola locanda in riva al fiume. => Dove abbiamo alloggiato a Kyoto? => Dove abbiamo dormito durante il viaggio in Giappone?
    48 Il mio passaporto è valido fino al 2031. => Fino a quando è valido il mio passaporto? => Entro quando devo richiedere nuovi documenti di viaggio?
    49 Per la vacanza in Scozia abbiamo noleggiato un camper. => Che cosa abbiamo noleggiato per la vacanza in Scozia? => Con che mezzo abbiamo girato le Highlands?
    50 La valigia con la rotella rotta è in cantina. => Dov'è la valigia con la rotella rotta? => Dov'è il bagaglio danneggiato?
    51 Il nonno prende ogni mattina una compressa per la pressione. => Che cosa prende il nonno ogni mattina? => Quale medicina assume nonno?
    52 Ho appuntamento dal dentista giovedì alle quattro e mezza. => Quando ho appuntamento dal dentista? => Quando mi controllano i denti?
    53 Il medico ha consigliato a Karim di nuotare due volte a settimana per la schiena. => Che cosa ha consigliato il medico a Karim? => Quale sport dovrebbe fare Karim contro il dolore?
    54 Dopo l'operazione zia Rosa non può più fare le scale. => Da quando zia Rosa non può più fare le scale? => Perché a Rosa serve un appartamento con l'ascensore?
    55 La chiave di riserva è sotto il vaso di fiori blu. => Dov'è la chiave di riserva? => Come entro in casa se resto chiuso fuori?
    56 La lavatrice perde durante la centrifuga. => Quando perde la lavatrice? => Da quale elettrodomestico esce acqua?
    57 Al gatto si dà da mangiare solo la sera. => Quando si dà da mangiare al gatto? => In quale momento della giornata riceve il cibo il nostro animale?
    58 La carta da macero viene ritirata un venerdì sì e uno no. => Ogni quanto viene ritirata la carta da macero? => Quando bisogna mettere in strada i vecchi giornali?
    59 La funzione che interpreta le date fallisce negli anni bisestili. => In quali anni fallisce la funzione che interpreta le date? => Quale bug abbiamo con il 29 febbraio?
    60 I test girano in parallelo, perciò non devono condividere una cartella temporanea. => Perché i test non devono condividere una cartella temporanea? => Perché ogni caso di test ha bisogno di una propria directory?
  `,
};
